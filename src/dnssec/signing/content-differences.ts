import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import { ChangedSets, differenceOf } from '../../publishing/transfers/changed-sets.js';
import type { WireRecord } from '../../publishing/transfers/signed-zones.js';
import { inSignedZone, isTransferred, recordsOf } from '../../publishing/transfers/transferred-set.js';
import { isOmitted, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';

/** Older changes are not compared: the whole zone is signed. */
const MAX_STEPS = 5000;

export interface ContentDifference {
  readonly owners: readonly string[];
  readonly removed: readonly WireRecord[];
  readonly added: readonly WireRecord[];
}

const NO_DIFFERENCE: ContentDifference = { owners: [], removed: [], added: [] };

@Injectable()
export class ContentDifferences {
  constructor(
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly changedSets: ChangedSets,
    private readonly served: ServedZone,
    private readonly options: DnssecOptions,
  ) {}

  /** `null`: unknown or too large, so the whole zone must be signed. */
  async since(tx: Transaction, zone: ZoneEntity, version: number): Promise<ContentDifference | null> {
    if (zone.version === version) return NO_DIFFERENCE;
    if (zone.version - version > MAX_STEPS) return null;
    const past = await nullIfForgotten(
      this.pointInTimeZones.changesSince(tx, zone, { number: version, serial: zone.serial }),
    );
    // Records without a TTL follow the zone TTL; SOA and apex NS follow the generation settings.
    if (past?.zone.ttl !== zone.ttl || past.zone.generation !== zone.generation) return null;
    // NSEC and NSEC3 follow the SOA TTL (RFC 9077 §3).
    if (past.zone.soaTtl !== zone.soaTtl) return null;
    const sets = await this.changedSets.read(tx, zone, past);
    if (sets === null) return null;
    const difference = { owners: [] as string[], removed: [] as WireRecord[], added: [] as WireRecord[] };
    for (const set of sets) {
      const [before] = this.served.setAt(past.zone, set, set.before);
      const [after] = this.served.setAt(zone, set, set.now);
      if ((before !== undefined && isOmitted(before)) || (after !== undefined && isOmitted(after))) return null;
      const { removed, added } = differenceOf(
        before !== undefined && isTransferred(before) ? before : null,
        after !== undefined && isTransferred(after) ? after : null,
      );
      difference.owners.push(set.ownerKey);
      difference.removed.push(...(removed === null ? [] : this.asSent(removed)));
      difference.added.push(...(added === null ? [] : this.asSent(added)));
    }
    return difference;
  }

  private asSent(set: RecordSet): WireRecord[] {
    const form = { maxTtl: this.options.maxTtl, isFolded: true };
    return recordsOf(set).map((record) => inSignedZone(record, form));
  }
}

async function nullIfForgotten<T>(finding: Promise<T>): Promise<T | null> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'serial_not_found') return null;
    throw error;
  }
}
