import { ServiceError } from '../common/service-error.js';
import { plainNameOfKey } from '../dns/name-key.js';
import { Rcode, rcodeName } from '../dns/message/rcode.js';
import { groupedBy } from '../common/grouped.js';
import type { ServedState } from './served-state.js';
import type { SetPrerequisite } from './typed-update.js';

/** A prerequisite does not hold, and so nothing of the message is done (RFC 2136 §3.2). */
export class PrerequisiteFails extends ServiceError {
  constructor(
    readonly rcode: number,
    what: string,
  ) {
    super('precondition_failed', `${rcodeName(rcode)}: ${what}`);
  }
}

/**
 * The first that does not hold decides; what sets have is compared after all others (RFC 2136 §3.2.5).
 * @throws PrerequisiteFails
 */
export function assertPrerequisites(served: ServedState, prerequisites: readonly SetPrerequisite[]): void {
  for (const one of prerequisites) assertHolds(served, one);
  const values = prerequisites.filter((one) => one.asks === 'set has');
  for (const ofSet of groupedBy(values, ({ ownerKey, type }) => `${ownerKey}\n${type}`).values())
    assertIsSet(served, ofSet);
}

function assertHolds(served: ServedState, one: SetPrerequisite): void {
  const { ownerKey } = one;
  const name = plainNameOfKey(ownerKey);
  switch (one.asks) {
    case 'name exists':
      if (!served.hasName(ownerKey)) throw new PrerequisiteFails(Rcode.NXDOMAIN, `${name} has no record`);
      return;
    case 'name is free':
      if (served.hasName(ownerKey)) throw new PrerequisiteFails(Rcode.YXDOMAIN, `${name} has records`);
      return;
    case 'set exists':
      if (!served.hasSet(ownerKey, one.type))
        throw new PrerequisiteFails(Rcode.NXRRSET, `${name} has no ${one.type} record`);
      return;
    case 'set is free':
      if (served.hasSet(ownerKey, one.type))
        throw new PrerequisiteFails(Rcode.YXRRSET, `${name} has ${one.type} records`);
      return;
    case 'set has':
  }
}

type ValuePrerequisite = Extract<SetPrerequisite, { readonly asks: 'set has' }>;

/** In any order, each once. */
function assertIsSet(served: ServedState, [first, ...others]: readonly ValuePrerequisite[]): void {
  if (first === undefined) return;
  const { ownerKey, type } = first;
  const asked = new Set([first, ...others].map(({ fingerprint }) => fingerprint));
  const there = served.fingerprintsOf(ownerKey, type);
  if (asked.size === there.size && [...asked].every((one) => there.has(one))) return;
  throw new PrerequisiteFails(Rcode.NXRRSET, `the ${type} records of ${plainNameOfKey(ownerKey)} are others`);
}
