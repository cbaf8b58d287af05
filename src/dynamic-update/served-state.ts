import { SOA } from '../dns/rdata/index.js';
import { NS } from '../dns/rdata/ns.js';
import { fingerprintOf } from '../records/record-content.js';
import type { RecordEntity } from '../records/record.entity.js';
import type { ZoneState } from '../records/changes/state/zone-state.js';
import type { ServedZone } from '../records/served/served-zone.js';
import type { ZoneEntity } from '../zones/zone.entity.js';

/** A zone that is about to change as name servers serve it: with its SOA, and the NS of the service (behaviour 6.5). */
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

  /** Whether the name has a record. */
  hasName(ownerKey: string): boolean {
    return this.isApex(ownerKey) || [...this.state.setsAt(ownerKey).values()].some(({ exists }) => exists);
  }

  hasSet(ownerKey: string, type: string): boolean {
    if (this.isApex(ownerKey) && type === SOA.name) return true;
    const isStored = this.state.set(ownerKey, type)?.exists === true;
    return isStored || (this.isApexNs(ownerKey, type) && this.generatedNs.size > 0);
  }

  /** What each record of a set that was loaded whole is compared by. */
  fingerprintsOf(ownerKey: string, type: string): ReadonlySet<string> {
    if (this.isApex(ownerKey) && type === SOA.name)
      return new Set([fingerprintOf(SOA.canonicalize(this.served.soaOf(this.zone)))]);
    const own = this.membersOf(ownerKey, type).map(({ fingerprint }) => fingerprint);
    return new Set([...own, ...(this.isApexNs(ownerKey, type) ? this.generatedNs : [])]);
  }

  /** The stored records of a set that was loaded whole. */
  membersOf(ownerKey: string, type: string): readonly RecordEntity[] {
    return [...(this.state.set(ownerKey, type)?.members.values() ?? [])];
  }

  /** The TTL that a set is served with, in seconds; `null`: it is not there. */
  ttlOf(ownerKey: string, type: string): number | null {
    const set = this.state.set(ownerKey, type);
    return set?.exists === true ? (set.row?.ttl ?? this.zone.ttl) : null;
  }

  /** The NS of the apex that the service makes. */
  get generatedNs(): ReadonlySet<string> {
    return (this.ns ??= new Set(
      this.served.nameServersOf(this.zone).map((name) => fingerprintOf(NS.canonicalize(NS.parse(name, null)))),
    ));
  }

  private ns: ReadonlySet<string> | null = null;
}
