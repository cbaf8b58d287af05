import type { Placement } from './placement.js';
import type { RecordType } from './record-type.js';

export function ownerRuleOf({ owner, hasHostOwner }: RecordType): string[] {
  const hosts = hasHostOwner === true ? [sentence('names are those of hosts')] : [];
  return owner === null ? hosts : [...hosts, sentence(`names ${owner.form}`)];
}

export function placementRulesOf({ placement }: RecordType): string[] {
  return RULES.flatMap((describe) => describe(placement) ?? []).map(sentence);
}

const RULES: readonly ((placement: Placement<Uint8Array>) => string | undefined)[] = [
  ({ isAlone }) => isAlone && 'no other type stands at its name',
  ({ isSingle }) => isSingle && 'a name has one record of it',
  ({ notAtApex }) => notAtApex && `it does not stand at the apex: ${notAtApex}`,
  ({ notAtWildcard }) => notAtWildcard && `it does not stand at a wildcard: ${notAtWildcard}`,
  ({ notBeside }) => notBeside && `it does not stand beside ${notBeside.join(', ')}, except at the apex`,
  ({ nothingBelow }) => nothingBelow && `nothing stands below its name: it ${nothingBelow}`,
  ({ isAtZoneCut }) => isAtZoneCut && 'at a zone cut it belongs to the zone above',
  ({ exclusive }) => exclusive && `${exclusive.name} is the only one at its name`,
  ({ needs }) =>
    needs && `it needs ${needs.type} at the same name${needs.atApexOnly ? ', the apex' : ''}, else ${needs.otherwise}`,
];

function sentence(text: string): string {
  const end = /\."?$/.test(text) ? '' : '.';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}
