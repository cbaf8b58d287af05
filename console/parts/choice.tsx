import { useId } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  /** What is shown of each value. */
  readonly options: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

/** A select beside its label, which does not hold it: programs that read labels would take the options for a part of it. */
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
