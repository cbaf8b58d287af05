import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordRepository, ServedRecord } from '../records/record.repository.js';
import type { RecordSource } from '../records/served/served-zone.js';
import { comparePositions, type RecordPosition } from '../records/stored-record.js';
import type { RecordSnapshot } from '../zones/journal/journal-format.js';
import type { HistoryRepository } from './history.repository.js';
import { chunksOf } from './chunks.js';

/** Where a record stood, and the step whose `before` has it. */
export interface PastPosition extends RecordPosition {
  readonly number: number;
  /** Length of the step's snapshots. */
  readonly octets: number;
  /** The record itself while there is room for it, else `null`: it is read again. */
  readonly kept: ServedRecord | null;
}

/** What a zone's records were: those that are stored and have not changed since, and what the others were. */
export class PointInTimeRecords implements RecordSource {
  /**
   * @param changed ids of the records that have changed since
   * @param positions where those of them stood that were there
   */
  constructor(
    private readonly stored: RecordRepository,
    private readonly history: HistoryRepository,
    private readonly tx: Transaction,
    private readonly zoneId: string,
    private readonly changed: { has(id: string): boolean },
    private readonly positions: readonly PastPosition[],
  ) {}

  all(): AsyncIterable<readonly ServedRecord[]> {
    return this.merged(this.stored.served(this.tx, this.zoneId), this.positions);
  }

  async ofSet(ownerKey: string, type: string): Promise<ServedRecord[]> {
    const positions = this.positions.filter((position) => position.ownerKey === ownerKey && position.type === type);
    const records: ServedRecord[] = [];
    const stored = await this.stored.servedSet(this.tx, this.zoneId, ownerKey, type);
    for await (const some of this.merged([stored], positions)) records.push(...some);
    return records;
  }

  /** Both come in the order in which records are served, and so does what comes out: never more at a time than a page. */
  private async *merged(
    stored: AsyncIterable<readonly ServedRecord[]> | Iterable<readonly ServedRecord[]>,
    positions: readonly PastPosition[],
  ): AsyncGenerator<readonly ServedRecord[]> {
    const past = this.read(positions);
    let next = await past.next();
    for await (const page of stored) {
      let unchanged: ServedRecord[] = [];
      for (const record of page) {
        if (this.changed.has(record.id)) continue;
        for (; next.done !== true && comparePositions(next.value, record) < 0; next = await past.next()) {
          yield [...unchanged, next.value];
          unchanged = [];
        }
        unchanged.push(record);
      }
      yield unchanged;
    }
    for (; next.done !== true; next = await past.next()) yield [next.value];
  }

  private async *read(positions: readonly PastPosition[]): AsyncGenerator<ServedRecord, undefined> {
    for (const chunk of chunksOf(positions)) {
      const numbers = chunk.filter(({ kept }) => kept === null).map(({ number }) => number);
      if (numbers.length === 0) {
        // None of them is null.
        for (const { kept } of chunk) yield kept as ServedRecord;
        continue;
      }
      const before = await this.history.before(this.tx, this.zoneId, numbers);
      // The records were there, and all is read at one moment.
      for (const position of chunk)
        yield position.kept ?? servedAt(position, before.get(position.number) as RecordSnapshot);
      await nextTurn();
    }
    return undefined;
  }
}

/** A record of which the journal has kept the contents. */
export function servedAt({ ownerKey, type, fingerprint }: RecordPosition, snapshot: RecordSnapshot): ServedRecord {
  const { id, name, ttl, rdata } = snapshot;
  return { id, name, ownerKey, type, ttl, rdata, fingerprint };
}
