import { Choice } from '../parts/choice.js';
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
  const options = {
    '': words.records.allTypes(all),
    ...(!isCounted && { [type]: words.records.ofType(type, 0) }),
    ...Object.fromEntries(types.map(([name, n]) => [name, words.records.ofType(name, n)])),
  };
  return <Choice label={words.records.filter} value={type} options={options} onChange={onChange} />;
}
