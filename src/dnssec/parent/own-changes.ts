import { Injectable } from '@nestjs/common';
import { administrator, type Caller } from '../../common/caller.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { wireOfKey } from '../../dns/name-key.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { RecordChanges } from '../../records/changes/record-changes.js';
import { NO_NOTES } from '../../records/changes/record-operation.js';
import { contentOf } from '../../records/record-content.js';
import { RecordRepository } from '../../records/record.repository.js';
import { isOmitted, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';

/** A record set that signing keeps in another zone of this service. */
export interface KeptSet {
  readonly owner: DomainName;
  readonly type: RecordType;
  /** None: the set is not to be there. */
  readonly rdatas: readonly Uint8Array[];
}

/** Records that signing one zone has put into another one of this service. */
@Injectable()
export class OwnChanges {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly changes: RecordChanges,
    private readonly served: ServedZone,
    private readonly reads: Reads,
  ) {}

  /** The lowest of the zones with these names whose records are its own; `null` where there is none. */
  async lowestOf(nameKeys: readonly string[]): Promise<ZoneEntity | null> {
    const names = nameKeys.map((key) => DomainName.read(wireOfKey(key)).toString());
    const found = await this.reads.run((tx) => this.zones.findAllNamedIn(tx, names));
    const [lowest] = found.sort((one, other) => other.nameKey.length - one.nameKey.length);
    return lowest?.type === 'PRIMARY' ? lowest : null;
  }

  /** A set as it is served; `null` where there is none. */
  async setAt(zone: ZoneEntity, ownerKey: string, type: RecordType): Promise<ServedSet | null> {
    return this.reads.run((tx) => this.setIn(tx, zone, ownerKey, type));
  }

  async setIn(tx: Transaction, zone: ZoneEntity, ownerKey: string, type: RecordType): Promise<ServedSet | null> {
    const rows = await this.records.servedSet(tx, zone.id, ownerKey, type.name);
    const [set] = this.served.setAt(zone, { ownerKey, type: type.name }, rows);
    return set === undefined || isOmitted(set) ? null : { rdatas: set.rdatas, ttl: set.ttl };
  }

  /**
   * Brings sets of one zone to what they are to be, in one change; none where they are.
   * @param why for the history
   * @throws ServiceError where the zone does not take them
   */
  async bring(zone: ZoneEntity, sets: readonly KeptSet[], why: string): Promise<void> {
    const others: KeptSet[] = [];
    for (const set of sets) {
      const present = await this.setAt(zone, set.owner.key, set.type);
      if (!isSame(present?.rdatas ?? [], set.rdatas)) others.push(set);
    }
    if (others.length === 0) return;
    await this.changes.apply(zone.id, signer(why), others.map(replacement), { isUnlimited: true });
  }
}

interface ServedSet {
  readonly rdatas: readonly Uint8Array[];
  /** In seconds. */
  readonly ttl: number;
}

function signer(message: string): Caller {
  return { ...administrator('signer', 'signer'), message };
}

function replacement({ owner, type, rdatas }: KeptSet) {
  const contents = rdatas.map((rdata) => ({ ...contentOf({ owner, type, rdata, ttl: null }), leftOut: NO_NOTES }));
  return { action: 'replace' as const, ownerKey: owner.key, type: type.name, contents };
}

function isSame(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  const [texts, others] = [one, other].map((rdatas) =>
    rdatas.map((rdata) => Buffer.from(rdata).toString('base64')).sort(),
  );
  return texts?.join(' ') === others?.join(' ');
}
