import { Injectable } from '@nestjs/common';
import { IN_ZONE } from '../database/statements/contents-id.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import type { RecordSet } from '../dns/master-file/master-file-writer.js';
import { NS } from '../dns/rdata/name-types.js';
import { RecordRepository } from '../records/record.repository.js';
import type { SetKey } from '../records/record-set.entity.js';
import { isOmitted, ServedZone } from '../records/served/served-zone.js';
import type { ZoneEntity } from '../zones/zone.entity.js';

/** Octets of RDATA in one page; the first set always fits. */
const MOST_OCTETS = 2 ** 20;
/** RRSIG, NSEC, DNSKEY, NSEC3, CDS and similar types, which signing makes. */
const OF_DNSSEC: ReadonlySet<number> = new Set([24, 25, 30, 46, 47, 48, 50, 51, 59, 60, 62, 63]);

type SetRow = SetKey & { readonly octets: number };

const SETS = new Statement<SetRow>(
  `SELECT owner_key AS "ownerKey", type, octets FROM record_sets WHERE ${IN_ZONE} AND (owner_key, type) > (?, ?)` +
    ' AND record_count > 0 ORDER BY owner_key, type LIMIT ?',
);

export interface ComparedSet extends SetKey {
  /** `null` if it is not to be compared. */
  readonly set: RecordSet | null;
}

export interface ComparedPage {
  readonly sets: readonly ComparedSet[];
  readonly isLast: boolean;
}

/** Reads the record sets of a zone in pages. */
@Injectable()
export class ComparedSets {
  constructor(
    private readonly reads: Reads,
    private readonly contents: ServedZone,
    private readonly records: RecordRepository,
  ) {}

  page(zone: ZoneEntity, after: SetKey, limit: number): Promise<ComparedPage> {
    return this.reads.run(async (tx) => {
      const rows = await SETS.rows(tx, [zone.id, after.ownerKey, after.type, limit + 1]);
      const taken = fitting(rows.slice(0, limit));
      const sets: ComparedSet[] = [];
      for (const { ownerKey, type } of taken) {
        const stored = await this.records.servedSet(tx, zone.id, ownerKey, type);
        const isOwnNs = ownerKey === zone.nameKey && type === NS.name;
        const [set] = isOwnNs ? [] : this.contents.setAt(zone, { ownerKey, type }, stored);
        const isCompared = set !== undefined && !isOmitted(set) && !OF_DNSSEC.has(set.type.code);
        sets.push({ ownerKey, type, set: isCompared ? set : null });
      }
      return { sets, isLast: taken.length === rows.length };
    });
  }
}

function fitting(rows: readonly SetRow[]): readonly SetRow[] {
  let octets = 0;
  const end = rows.findIndex((row, at) => (octets += row.octets) > MOST_OCTETS && at > 0);
  return end === -1 ? rows : rows.slice(0, end);
}
