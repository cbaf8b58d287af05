import type { RecordTypes } from '../api/types.js';
import type { ControlProps } from '../parts/field.js';
import { words } from '../words/index.js';

interface Props {
  readonly control: ControlProps;
  readonly value: string;
  readonly types: RecordTypes;
  readonly isDisabled: boolean;
  readonly onChange: (type: string) => void;
}

/** The record types with their purpose, the common ones first. */
export function TypePicker({ control, value, types, isDisabled, onChange }: Props) {
  const { common, others, commonTypes, otherTypes, typeOption } = words.form;
  const names = types.record_types.map(({ name }) => name);
  const known = names.includes(value) ? names : [...names, value];
  const first = Object.keys(common).filter((name) => known.includes(name));
  const rest = known.filter((name) => !first.includes(name));
  const option = (name: string) => (
    <option key={name} value={name}>
      {typeOption(name, common[name] ?? others[name])}
    </option>
  );
  return (
    <select {...control} value={value} disabled={isDisabled} onChange={({ target }) => onChange(target.value)}>
      {first.length > 0 && rest.length > 0 ? (
        <>
          <optgroup label={commonTypes}>{first.map(option)}</optgroup>
          <optgroup label={otherTypes}>{rest.map(option)}</optgroup>
        </>
      ) : (
        [...first, ...rest].map(option)
      )}
    </select>
  );
}
