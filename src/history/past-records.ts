import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordRepository, ServedRecord } from '../records/record.repository.js';
import type { RecordSource } from '../records/served/served-zone.js';
import { comparePlaces, type RecordPlace } from '../records/stored-record.js';
import type { RecordSnapshot } from '../zones/journal/journal-format.js';
import type { HistoryRepository } from './history.repository.js';
import { portionsOf } from './portions.js';

/** Where a record stood, and the step whose `before` has it. */
export interface PastPlace extends RecordPlace {
  readonly number: number;
  /** Length of the step's snapshots. */
  readonly octets: number;
  /** The record itself while there is room for it, else `null`: it is read again. */
  readonly kept: ServedRecord | null;
}

/** What a zone's records were: those that are stored and have not changed since, and what the others were. */
export class PastRecords implements RecordSource {
  /**
   * @param changed ids of the records that have changed since
   * @param places where those of them stood that were there
   */
  constructor(
    private readonly stored: RecordRepository,
    private readonly history: HistoryRepository,
    private readonly tx: Transaction,
    private readonly zoneId: string,
    private readonly changed: { has(id: string): boolean },
    private readonly places: readonly PastPlace[],
  ) {}

  all(): AsyncIterable<readonly ServedRecord[]> {
    return this.merged(this.stored.served(this.tx, this.zoneId), this.places);
  }

  async ofSet(ownerKey: string, type: string): Promise<ServedRecord[]> {
    const places = this.places.filter((place) => place.ownerKey === ownerKey && place.type === type);
    const records: ServedRecord[] = [];
    const stored = await this.stored.servedSet(this.tx, this.zoneId, ownerKey, type);
    for await (const some of this.merged([stored], places)) records.push(...some);
    return records;
  }

  /** Both come in the order in which records are served, and so does what comes out: never more at a time than a page. */
  private async *merged(
    stored: AsyncIterable<readonly ServedRecord[]> | Iterable<readonly ServedRecord[]>,
    places: readonly PastPlace[],
  ): AsyncGenerator<readonly ServedRecord[]> {
    const past = this.read(places);
    let next = await past.next();
    for await (const page of stored) {
      let unchanged: ServedRecord[] = [];
      for (const record of page) {
        if (this.changed.has(record.id)) continue;
        for (; next.done !== true && comparePlaces(next.value, record) < 0; next = await past.next()) {
          yield [...unchanged, next.value];
          unchanged = [];
        }
        unchanged.push(record);
      }
      yield unchanged;
    }
    for (; next.done !== true; next = await past.next()) yield [next.value];
  }

  private async *read(places: readonly PastPlace[]): AsyncGenerator<ServedRecord, undefined> {
    for (const portion of portionsOf(places)) {
      const numbers = portion.filter(({ kept }) => kept === null).map(({ number }) => number);
      if (numbers.length === 0) {
        // None of them is null.
        for (const { kept } of portion) yield kept as ServedRecord;
        continue;
      }
      const before = await this.history.before(this.tx, this.zoneId, numbers);
      // The records were there, and all is read at one moment.
      for (const place of portion) yield place.kept ?? servedAt(place, before.get(place.number) as RecordSnapshot);
      await nextTurn();
    }
    return undefined;
  }
}

/** A record of which the journal has kept the contents. */
export function servedAt({ ownerKey, type, fingerprint }: RecordPlace, snapshot: RecordSnapshot): ServedRecord {
  const { id, name, ttl, rdata } = snapshot;
  return { id, name, ownerKey, type, ttl, rdata, fingerprint };
}
