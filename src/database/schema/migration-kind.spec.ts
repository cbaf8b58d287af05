import { expect, it } from '@jest/globals';
import { kindOf } from './schema-state.js';

it.each([
  ['ExpandZonesByTags1764100000000', 'expansion'],
  ['ContractZoneLabels1764100000000', 'contraction'],
  ['CreateTables1763600000000', 'change'],
  ['Expanded1764100000000', 'change'],
  ['ContractsOfAcme1764100000000', 'change'],
] as const)('18.8 %s is a(n) %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});
