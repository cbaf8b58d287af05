import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { RecordTypes } from '../dns/rdata/index.js';
import { readStep, type RecordSnapshot, type ZoneSnapshot } from '../zones/journal/journal-format.js';
import type { NewSecondaryZone, NewZone } from '../zones/zone-fields.js';
import { HistoryRepository, type JournalRow } from './history.repository.js';
import { maySeeFormer, noSuchHistory } from './history.service.js';
import { notKept } from './history-points.js';
import { type CompactedStep, compactSteps } from './change-compaction.js';
import { chunksOf } from './chunks.js';

/** Where each of them stands in the journal is in memory. */
const MOST_RECORDS = 200_000;

/** What a zone was when it was deleted. */
export interface FormerContents {
  readonly id: string;
  readonly name: string;
  readonly zone: NewZone | NewSecondaryZone;
  readonly recordCount: number;
  /** Of the records in the journal. */
  readonly octets: number;
  /** The last steps of its records, in portions that are read at a time. */
  portions(): Iterable<readonly LastStep[]>;
}

/** The step that made a record what it was at the end. */
export interface LastStep extends Pick<CompactedStep, 'last' | 'octets'> {
  /** Counts the records in the order in which they were made. */
  readonly index: number;
}

export interface FormerRecord extends Pick<LastStep, 'index'> {
  readonly record: RecordSnapshot;
}

/** Finds out of the journal what a zone was when it was deleted. */
@Injectable()
export class FormerContentsReader {
  constructor(
    private readonly history: HistoryRepository,
    private readonly reads: Reads,
    readonly types: RecordTypes,
  ) {}

  /** @throws ServiceError `zone_not_found`, `serial_not_found`, `file_too_large` */
  async find(zoneId: string, caller: Caller): Promise<FormerContents> {
    const end = await this.reads.run((tx) => this.endOf(tx, zoneId, caller));
    const snapshot = snapshotBefore(end);
    const found: { records: readonly LastStep[] } = { records: [] };
    for await (const records of this.reads.stream((tx) => this.lastSteps(tx, zoneId, end.number, snapshot.name)))
      found.records = records;
    const { records } = found;
    const portions = (): Iterable<readonly LastStep[]> => chunksOf(records);
    const octets = records.reduce((sum, step) => sum + step.octets, 0);
    return {
      id: zoneId,
      name: snapshot.name,
      zone: newZoneOf(snapshot),
      recordCount: records.length,
      octets,
      portions,
    };
  }

  /** @throws ServiceError `serial_not_found` where the history has been removed meanwhile */
  async read(tx: Transaction, { id, name }: FormerContents, chunk: readonly LastStep[]): Promise<FormerRecord[]> {
    const steps = await this.history.steps(
      tx,
      id,
      chunk.map(({ last }) => last),
    );
    return chunk.map(({ last, index }) => {
      // What is after the last step of a record that is there is a record.
      const record = (steps.get(last)?.after ?? null) as RecordSnapshot | null;
      if (record === null) throw notKept({ name }, `step ${last}`);
      return { record, index };
    });
  }

  private async endOf(tx: Transaction, zoneId: string, caller: Caller): Promise<JournalRow> {
    const former = await this.history.findFormer(tx, zoneId);
    const isOwn = former?.tenantId === caller.tenantId && maySeeFormer(caller, former);
    const [end] = isOwn ? await this.history.page(tx, zoneId, { above: 0, below: Number.MAX_SAFE_INTEGER }, 1) : [];
    if (end === undefined) throw noSuchHistory();
    return end;
  }

  /** One value. */
  private async *lastSteps(
    tx: Transaction,
    zoneId: string,
    end: number,
    name: string,
  ): AsyncGenerator<readonly LastStep[]> {
    const { count, records } = await compactSteps(this.history.outline(tx, zoneId, 0, end));
    if (count !== end) throw notKept({ name }, 'its beginning, which has records that were there at the end');
    if (records.size > MOST_RECORDS) throw tooMany(name);
    yield Array.from(records.values(), ({ last, octets }, index) => ({ last, octets, index }));
  }
}

function snapshotBefore(end: JournalRow): ZoneSnapshot {
  // What is before a zone's deletion is a zone.
  return readStep(end).before as ZoneSnapshot;
}

function newZoneOf({ name, email, ttl, description, generation, masters }: ZoneSnapshot): NewZone | NewSecondaryZone {
  if (masters !== undefined) return { name, masters, description };
  const { apexNs = null, soaTtl = null } = generation ?? {};
  return { name, email, ttl, soaTtl, description, apexNs };
}

function tooMany(name: string): ServiceError {
  return new ServiceError(
    'file_too_large',
    `${name} had more than ${MOST_RECORDS} records; make the domain anew and import its zone file.`,
  );
}
