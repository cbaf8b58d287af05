import { words } from '../words/index.js';

/**
 * The labels of the filter by type, by its value.
 *
 * @param byType match counts of each type, for any selected type
 * @param type the selected types, `''` for all
 */
export function typeOptions(byType: Readonly<Record<string, number>>, type: string): Readonly<Record<string, string>> {
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
