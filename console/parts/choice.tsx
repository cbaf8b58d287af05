import { useId } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  /** Labels by value. */
  readonly options: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

/** A select next to its label. Inside the label, screen readers would include the options in the name. */
export function Choice({ label, value, options, onChange }: Props) {
  const id = useId();
  return (
    <span className="choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(options).map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </span>
  );
}
