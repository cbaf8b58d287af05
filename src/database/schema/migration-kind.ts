/**
 * What a migration does to releases that do not know it, said by its name, which each of them finds in the history:
 * `ExpandZonesByTags…` adds something and leaves them all that they need, `ContractZoneLabels…` takes away what only they need.
 * Any other one may do either.
 */
export type MigrationKind = 'expansion' | 'contraction' | 'change';

const EXPANSION = /^Expand[A-Z]/;
const CONTRACTION = /^Contract[A-Z]/;

export function kindOf(name: string): MigrationKind {
  if (EXPANSION.test(name)) return 'expansion';
  return CONTRACTION.test(name) ? 'contraction' : 'change';
}
