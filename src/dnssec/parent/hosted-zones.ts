import { Injectable } from '@nestjs/common';
import { administrator, type Caller } from '../../common/caller.js';
import { Reads } from '../../database/reads.js';
import { DomainName } from '../../dns/name.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { RecordChanges } from '../../records/changes/record-changes.js';
import { NO_NOTES } from '../../records/changes/record-operation.js';
import { contentOf } from '../../records/record-content.js';
import { RecordRepository } from '../../records/record.repository.js';
import { isOmitted, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';

export interface MaintainedSet {
  readonly owner: DomainName;
  readonly type: RecordType;
  /** Empty: delete the record set. */
  readonly rdatas: readonly Uint8Array[];
}

interface ServedSet {
  readonly rdatas: readonly Uint8Array[];
  /** In seconds. */
  readonly ttl: number;
}

@Injectable()
export class HostedZones {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly changes: RecordChanges,
    private readonly served: ServedZone,
    private readonly reads: Reads,
  ) {}

  /** The primary zone with the longest of these names; `null`: none, or a secondary zone. */
  async lowestOf(nameKeys: readonly string[]): Promise<ZoneEntity | null> {
    const lowest = await this.reads.run((tx) => this.zones.lowestAmong(tx, nameKeys));
    return lowest?.type === 'PRIMARY' ? lowest : null;
  }

  async setAt(zone: ZoneEntity, ownerKey: string, type: RecordType): Promise<ServedSet | null> {
    return this.reads.run(async (tx) => {
      const rows = await this.records.servedSet(tx, zone.id, ownerKey, type.name);
      const [set] = this.served.setAt(zone, { ownerKey, type: type.name }, rows);
      return set === undefined || isOmitted(set) ? null : { rdatas: set.rdatas, ttl: set.ttl };
    });
  }

  /** Replaces the record sets that differ, in one change. `reason` is for the zone history. */
  async replace(zone: ZoneEntity, sets: readonly MaintainedSet[], reason: string): Promise<void> {
    const different: MaintainedSet[] = [];
    for (const set of sets) {
      const present = await this.setAt(zone, set.owner.key, set.type);
      if (!isSame(present?.rdatas ?? [], set.rdatas)) different.push(set);
    }
    if (different.length === 0) return;
    await this.changes.apply(zone.id, signer(reason), different.map(replacement), { isUnlimited: true });
  }
}

function signer(message: string): Caller {
  return { ...administrator('signer', 'signer'), message };
}

function replacement({ owner, type, rdatas }: MaintainedSet) {
  const contents = rdatas.map((rdata) => ({ ...contentOf({ owner, type, rdata, ttl: null }), leftOut: NO_NOTES }));
  return { action: 'replace' as const, ownerKey: owner.key, type: type.name, contents };
}

function isSame(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  const [texts, others] = [one, other].map((rdatas) =>
    rdatas.map((rdata) => Buffer.from(rdata).toString('base64')).sort(),
  );
  return texts?.join(' ') === others?.join(' ');
}
