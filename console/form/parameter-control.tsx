import type { FieldDescription } from '../api/types.js';
import type { ControlProps } from '../parts/field.js';
import { words } from '../words/index.js';
import { parameterOf, writtenParameter } from './parameter.js';

interface Props {
  readonly control: ControlProps;
  readonly name: string;
  readonly description: FieldDescription;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A parameter of SVCB or HTTPS: its key, chosen or typed before `=`, and its value. */
export function ParameterControl({ control, name, description, text, onChange }: Props) {
  const known = (description.values ?? []).map(({ value }) => String(value));
  const { key, value } = parameterOf(text, known);
  return (
    <span className="parameter">
      <select
        aria-label={words.form.parameter}
        value={key}
        onChange={({ target }) => onChange(writtenParameter(target.value, value))}
      >
        <option value="">{words.form.choose}</option>
        {[...known, ...(key === '' || known.includes(key) ? [] : [key])].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      <input
        {...control}
        name={name}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(writtenParameter(key, target.value))}
      />
    </span>
  );
}
