import type { RecordCount, RecordTypes } from '../api/types.js';
import { words } from '../words/index.js';

/**
 * The labels of the filter by type, by its value. Without exact counts, they are all types.
 *
 * @param count for any selected type
 * @param type the selected types, `''` for all
 */
export function typeOptions(
  count: RecordCount | null,
  type: string,
  known: RecordTypes | undefined,
): Readonly<Record<string, string>> {
  if (count?.by_type_is_exact === false) {
    const names = (known?.record_types ?? []).map(({ name }) => name);
    const all = new Set([...(type === '' ? [] : [type]), ...names, ...Object.keys(count.by_type)]);
    return { '': words.records.anyType, ...Object.fromEntries([...all].sort().map((name) => [name, name])) };
  }
  const byType = count?.by_type ?? {};
  const types = Object.entries(byType).sort(([a], [b]) => (a < b ? -1 : 1));
  const all = types.reduce((sum, [, n]) => sum + n, 0);
  const isCounted = type === '' || type in byType;
  return {
    '': words.records.allTypes(all),
    // An address may name several types.
    ...(!isCounted && { [type]: words.records.ofType(type.replaceAll(',', ', '), countOf(type, byType)) }),
    ...Object.fromEntries(types.map(([name, n]) => [name, words.records.ofType(name, n)])),
  };
}

function countOf(types: string, byType: Readonly<Record<string, number>>): number {
  return types.split(',').reduce((sum, type) => sum + (byType[type] ?? 0), 0);
}
