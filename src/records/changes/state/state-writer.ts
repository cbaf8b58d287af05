import { Injectable } from '@nestjs/common';
import { allOf } from '../../../common/all-of.js';
import type { Transaction } from '../../../database/transaction.js';
import type { RecordSetEntity } from '../../record-set.entity.js';
import { RecordSetRepository } from '../../record-set.repository.js';
import type { RecordEntity } from '../../record.entity.js';
import { RecordRepository } from '../../record.repository.js';
import { contentKey, type ZoneState } from './zone-state.js';

interface Difference<Row> {
  readonly inserted: Row[];
  readonly updated: { readonly stored: Row; readonly now: Row }[];
  readonly deleted: Row[];
}

@Injectable()
export class StateWriter {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
  ) {}

  /** One turn, unless records first have to give up their fingerprints. */
  async write(tx: Transaction, state: ZoneState): Promise<void> {
    const records = differenceOf(state.changedRecords(), () => true);
    // A set deleted and created again in one change gets a new id.
    const sets = differenceOf(state.changedSets(), (stored: RecordSetEntity, now) => stored.id === now.id);
    const isReplaced = records.deleted.length > 0 && records.inserted.length + records.updated.length > 0;
    const deleting = (): Promise<unknown> =>
      allOf([this.records.deleteEach(tx, records.deleted), this.recordSets.deleteEach(tx, sets.deleted)]);
    if (isReplaced) await deleting();
    await this.records.freeFingerprints(tx, inTheWay(records));
    const updatedRecords = records.updated.map(({ now }) => now);
    const updatedSets = sets.updated.map(({ now }) => now);
    await allOf([
      isReplaced ? null : deleting(),
      this.records.insertAll(tx, records.inserted),
      this.records.updateAll(tx, updatedRecords),
      this.recordSets.insertAll(tx, sets.inserted),
      this.recordSets.updateAll(tx, updatedSets),
    ]);
  }
}

function differenceOf<Row>(
  changed: Iterable<{ readonly stored: Row | null; readonly now: Row | null }>,
  isSame: (stored: Row, now: Row) => boolean,
): Difference<Row> {
  const difference: Difference<Row> = { inserted: [], updated: [], deleted: [] };
  for (const { stored, now } of changed)
    if (stored !== null && now !== null && isSame(stored, now)) difference.updated.push({ stored, now });
    else {
      if (stored !== null) difference.deleted.push(stored);
      if (now !== null) difference.inserted.push(now);
    }
  return difference;
}

/** Records whose stored content goes to another record before they have their own new content. */
function inTheWay({ inserted, updated }: Difference<RecordEntity>): RecordEntity[] {
  if (updated.length === 0 || inserted.length + updated.length < 2) return [];
  const holders = new Map(updated.map(({ stored }) => [contentKey(stored), stored]));
  return [...inserted, ...updated.map(({ now }) => now)].flatMap((record) => {
    const holder = holders.get(contentKey(record));
    return holder === undefined || holder.id === record.id ? [] : [holder];
  });
}
