import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import type { JournalStep } from '../../history/history-point.js';
import { HistoryPoints, unlessForgotten } from '../../history/history-points.js';
import { type PastChanges, PointInTimeZones } from '../../history/point-in-time-zones.js';
import { RecordRepository, type ServedRecord } from '../../records/record.repository.js';
import { isOmitted, type RecordSource, ServedZone } from '../../records/served/served-zone.js';
import { comparePositions } from '../../records/stored-record.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ExportForm } from './export-form.js';

/** A zone of so few records is written as fast as it is found out what has changed in it. */
const FEW_RECORDS = 200;
/** To find out what a step has changed takes as long as to write so many records. */
const RECORDS_OF_STEP = 10;
const MOST_STEPS = 1000;
/** The records of so many owner names are read at a time. */
const OWNERS_AT_A_TIME = 20;
/** All changed lines together are in memory, in characters. */
const MOST_TEXT = 2 ** 22;

/** The lines of owner names by their keys, in canonical order; none where there are no records any more. */
export type LinesOfOwners = ReadonlyMap<string, string>;

/** Writes the lines of those owner names that a text has in an earlier state. */
@Injectable()
export class ChangedLines {
  constructor(
    private readonly contents: ServedZone,
    private readonly records: RecordRepository,
    private readonly moments: HistoryPoints,
    private readonly pointInTimeZones: PointInTimeZones,
  ) {}

  /**
   * The apex is always among them, since its SOA record has the serial.
   * @param tx sees one moment
   * @returns `null` where the whole zone is to be written
   */
  async since(tx: Transaction, zone: ZoneEntity, former: JournalStep, form: ExportForm): Promise<LinesOfOwners | null> {
    if (!isWorthwhile(zone, zone.version - former.number)) return null;
    const changes = await unlessForgotten(this.changesSince(tx, zone, former));
    // All records without a ttl of their own follow that of the zone.
    if (changes?.zone.ttl !== zone.ttl) return null;
    const owners = await this.ownersOf(tx, zone, changes);
    return owners && this.linesOf(tx, zone, owners, form);
  }

  /** `null` where the journal has another step in the place of that one: the database may have been restored. */
  private async changesSince(tx: Transaction, zone: ZoneEntity, former: JournalStep): Promise<PastChanges | null> {
    const { number } = await this.moments.find(tx, zone, { serial: former.serial });
    return number === former.number ? this.pointInTimeZones.changesSince(tx, zone, former) : null;
  }

  /** Where records that have changed stood, and where they stand now; `null` where that cannot be told. */
  private async ownersOf(
    tx: Transaction,
    { id, nameKey }: ZoneEntity,
    { changed, positions }: PastChanges,
  ): Promise<string[] | null> {
    const existing = [...changed.values()].flatMap((step) => (step.exists ? [step.id] : []));
    const present = await this.records.findAll(tx, id, existing);
    const keys = new Set([nameKey, ...[...positions, ...present].map(({ ownerKey }) => ownerKey)]);
    return keys.has('') ? null : [...keys].sort();
  }

  private async linesOf(
    tx: Transaction,
    zone: ZoneEntity,
    owners: readonly string[],
    form: ExportForm,
  ): Promise<LinesOfOwners | null> {
    const lines = new Map(owners.map((key) => [key, '']));
    let length = 0;
    for await (const sets of this.contents.recordSetsOf(tx, zone, this.recordsAt(tx, zone.id, owners))) {
      for (const set of sets) {
        if (isOmitted(set)) return null;
        const text = form.recordSet(set, zone);
        length += text.length;
        if (length > MOST_TEXT) return null;
        lines.set(set.owner.key, (lines.get(set.owner.key) ?? '') + text);
      }
    }
    return lines;
  }

  private recordsAt(tx: Transaction, zoneId: string, owners: readonly string[]): RecordSource {
    const { records } = this;
    async function* all(): AsyncGenerator<readonly ServedRecord[]> {
      for (let from = 0; from < owners.length; from += OWNERS_AT_A_TIME) {
        const found = await records.ofOwners(tx, zoneId, owners.slice(from, from + OWNERS_AT_A_TIME));
        yield found.sort(comparePositions);
      }
    }
    return { all, ofSet: (ownerKey, type) => records.servedSet(tx, zoneId, ownerKey, type) };
  }
}

function isWorthwhile({ recordCount }: ZoneEntity, steps: number): boolean {
  return steps >= 0 && steps <= MOST_STEPS && recordCount >= FEW_RECORDS + steps * RECORDS_OF_STEP;
}
