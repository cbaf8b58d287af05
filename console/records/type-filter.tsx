import { words } from '../words/index.js';

interface Props {
  /** How many records of each type match, whatever type is chosen. */
  readonly byType: Readonly<Record<string, number>>;
  readonly type: string;
  readonly onChange: (type: string) => void;
}

export function TypeFilter({ byType, type, onChange }: Props) {
  const types = Object.entries(byType).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = types.reduce((sum, [, n]) => sum + n, 0);
  const isCounted = type === '' || type in byType;
  return (
    <label>
      {words.records.filter}{' '}
      <select value={type} onChange={({ target }) => onChange(target.value)}>
        <option value="">{words.records.allTypes(all)}</option>
        {!isCounted && <option value={type}>{words.records.ofType(type, 0)}</option>}
        {types.map(([name, n]) => (
          <option key={name} value={name}>
            {words.records.ofType(name, n)}
          </option>
        ))}
      </select>
    </label>
  );
}
