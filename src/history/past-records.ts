import type { Transaction } from '../database/transaction.js';
import type { RecordRepository, ServedRecord } from '../records/record.repository.js';
import type { RecordSource } from '../records/served-zone.js';
import { comparePlaces, type RecordPlace } from '../records/stored-record.js';
import type { RecordSnapshot } from '../zones/journal-format.js';
import type { HistoryRepository } from './history.repository.js';
import { portionsOf } from './portions.js';

/** Where a record stood, and the step whose `before` has it. */
export interface PastPlace extends RecordPlace {
  readonly number: number;
  /** Length of the step's snapshots. */
  readonly octets: number;
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

  all(): AsyncIterable<ServedRecord> {
    return this.merged(this.stored.served(this.tx, this.zoneId), this.places);
  }

  async ofSet(ownerKey: string, type: string): Promise<ServedRecord[]> {
    const places = this.places.filter((place) => place.ownerKey === ownerKey && place.type === type);
    const records: ServedRecord[] = [];
    const stored = await this.stored.servedSet(this.tx, this.zoneId, ownerKey, type);
    for await (const record of this.merged(stored, places)) records.push(record);
    return records;
  }

  /** Both come in the order in which records are served, and so does what comes out. */
  private async *merged(
    stored: AsyncIterable<ServedRecord> | Iterable<ServedRecord>,
    places: readonly PastPlace[],
  ): AsyncGenerator<ServedRecord> {
    const past = this.read(places);
    let next = await past.next();
    for await (const record of stored) {
      if (this.changed.has(record.id)) continue;
      for (; next.done !== true && comparePlaces(next.value, record) < 0; next = await past.next()) yield next.value;
      yield record;
    }
    for (; next.done !== true; next = await past.next()) yield next.value;
  }

  private async *read(places: readonly PastPlace[]): AsyncGenerator<ServedRecord, undefined> {
    for (const portion of portionsOf(places)) {
      const numbers = portion.map(({ number }) => number);
      const steps = await this.history.steps(this.tx, this.zoneId, numbers);
      for (const { number, ownerKey, type, fingerprint } of portion) {
        // The record was there, and all is read at one moment.
        const { id, name, ttl, rdata } = steps.get(number)?.before as RecordSnapshot;
        yield { id, name, ownerKey, type, ttl, rdata, fingerprint };
      }
      await new Promise(setImmediate);
    }
    return undefined;
  }
}
