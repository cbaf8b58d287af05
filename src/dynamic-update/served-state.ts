import { ALIAS, SOA } from '../dns/rdata/index.js';
import { NS } from '../dns/rdata/name-types.js';
import { fingerprintOf } from '../records/record-content.js';
import type { RecordEntity } from '../records/record.entity.js';
import type { ZoneState } from '../records/changes/state/zone-state.js';
import type { ServedZone } from '../records/served/served-zone.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ServiceError } from '../common/service-error.js';
import { plainNameOfKey } from '../dns/name-key.js';
import { Rcode, rcodeName } from '../dns/message/codes.js';
import { groupedBy } from '../common/grouped.js';
import type { SetPrerequisite } from './typed-update.js';

/** A prerequisite failed, so the message has no effect (RFC 2136 §3.2). */
export class PrerequisiteFails extends ServiceError {
  constructor(
    readonly rcode: number,
    what: string,
  ) {
    super('precondition_failed', `${rcodeName(rcode)}: ${what}`);
  }
}

/** The state of a zone before a change as name servers see it, with SOA and generated apex NS (behaviour 6.5). */
export class ServedState {
  constructor(
    readonly state: ZoneState,
    readonly zone: Readonly<ZoneEntity>,
    private readonly served: ServedZone,
  ) {}

  isApex(ownerKey: string): boolean {
    return ownerKey === this.zone.nameKey;
  }

  isApexNs(ownerKey: string, type: string): boolean {
    return type === NS.name && this.isApex(ownerKey);
  }

  hasName(ownerKey: string): boolean {
    if (this.isApex(ownerKey)) return true;
    return [...this.state.setsAt(ownerKey)].some(([type, { exists }]) => exists && type !== ALIAS.name);
  }

  hasSet(ownerKey: string, type: string): boolean {
    if (this.isApex(ownerKey) && type === SOA.name) return true;
    const isStored = this.state.set(ownerKey, type)?.exists === true;
    return isStored || (this.isApexNs(ownerKey, type) && this.generatedNs.size > 0);
  }

  fingerprintsOf(ownerKey: string, type: string): ReadonlySet<string> {
    if (this.isApex(ownerKey) && type === SOA.name)
      return new Set([fingerprintOf(SOA.canonicalize(this.served.soaOf(this.zone)))]);
    const own = this.membersOf(ownerKey, type).map(({ fingerprint }) => fingerprint);
    return new Set([...own, ...(this.isApexNs(ownerKey, type) ? this.generatedNs : [])]);
  }

  membersOf(ownerKey: string, type: string): readonly RecordEntity[] {
    return [...(this.state.set(ownerKey, type)?.members.values() ?? [])];
  }

  /** The served TTL in seconds; `null` without the set. */
  ttlOf(ownerKey: string, type: string): number | null {
    const set = this.state.set(ownerKey, type);
    return set?.exists === true ? (set.row?.ttl ?? this.zone.ttl) : null;
  }

  get generatedNs(): ReadonlySet<string> {
    return (this.ns ??= new Set(
      this.served.nameServersOf(this.zone).map((name) => fingerprintOf(NS.canonicalize(NS.parse(name, null)))),
    ));
  }

  private ns: ReadonlySet<string> | null = null;
}

/** The first failed prerequisite decides; set contents come last (RFC 2136 §3.2.5). @throws PrerequisiteFails */
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

/** Ignores order and duplicates. */
function assertIsSet(served: ServedState, [first, ...others]: readonly ValuePrerequisite[]): void {
  if (first === undefined) return;
  const { ownerKey, type } = first;
  const asked = new Set([first, ...others].map(({ fingerprint }) => fingerprint));
  const there = served.fingerprintsOf(ownerKey, type);
  if (asked.size === there.size && [...asked].every((one) => there.has(one))) return;
  throw new PrerequisiteFails(Rcode.NXRRSET, `the ${type} records of ${plainNameOfKey(ownerKey)} are others`);
}
