import { useState } from 'react';
import type { FieldDescription } from '../api/types.js';
import type { ControlProps } from '../parts/field.js';
import { words } from '../words/index.js';

interface Props {
  readonly control: ControlProps;
  readonly name: string;
  readonly description: FieldDescription;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** No value contains it. */
const OTHER = '\u0000';

/** A field with well-known values, such as the tag of CAA: one of them, or another value. */
export function KnownValueControl({ control, name, description, text, onChange }: Props) {
  const values = description.values ?? [];
  const isKnown = values.some(({ value }) => String(value) === text);
  const [wantsOther, setWantsOther] = useState(false);
  const isOther = wantsOther || (text !== '' && !isKnown);
  return (
    <span className="parameter">
      <select
        {...(isOther ? { 'aria-label': words.form.knownValues(description.label) } : { ...control, name })}
        value={isOther ? OTHER : text}
        onChange={({ target }) => {
          setWantsOther(target.value === OTHER);
          onChange(target.value === OTHER ? '' : target.value);
        }}
      >
        <option value="">{words.form.choose}</option>
        {values.map(({ value, label }) => (
          <option key={String(value)} value={String(value)}>
            {words.form.choice(value, label)}
          </option>
        ))}
        <option value={OTHER}>{words.form.otherValue}</option>
      </select>
      {isOther && (
        <input
          {...control}
          name={name}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => {
            // Typing a known value keeps the text box.
            setWantsOther(true);
            onChange(target.value);
          }}
        />
      )}
    </span>
  );
}
