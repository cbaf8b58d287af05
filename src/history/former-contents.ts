import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError, MOST_ERRORS } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { Transaction } from '../database/transaction.js';
import { ALIAS, ALIAS_ADDRESSES, RecordTypes } from '../dns/rdata/index.js';
import { readStep } from '../zones/journal/journal-format.js';
import type { RecordSnapshot, ZoneSnapshot } from '../plugins/change-listener.js';
import type { NewSecondaryZone, NewZone } from '../zones/zone-fields.js';
import { HistoryRepository, type JournalRow, chunksOf } from './history.repository.js';
import { maySeeFormer, noSuchHistory } from './history.service.js';
import { notKept } from './history-points.js';
import { type CompactedStep, compactSteps } from './change-compaction.js';
import type { Instant } from '../common/clock.js';
import { OperationsRefused } from '../records/changes/operation-list.js';
import type { OperationFault } from '../records/changes/state/change-session.js';
import { readRecordContent, type RecordContent } from '../records/record-content.js';

/** Limits memory, which holds the journal position of each record. */
const MOST_RECORDS = 1_000_000;

export interface FormerContents {
  readonly id: string;
  readonly name: string;
  readonly zone: NewZone | NewSecondaryZone;
  readonly recordCount: number;
  /** Length of the records in the journal. */
  readonly octets: number;
  /** Last steps of the records, in portions of one read. */
  portions(): Iterable<readonly LastStep[]>;
}

/** The step with the final state of a record. */
export interface LastStep extends Pick<CompactedStep, 'last' | 'octets'> {
  /** Position of the record in order of creation. */
  readonly index: number;
}

interface FormerRecord extends Pick<LastStep, 'index'> {
  readonly record: RecordSnapshot;
}

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
    const records: LastStep[] = [];
    let octets = 0;
    for await (const steps of this.reads.stream((tx) => this.lastSteps(tx, zoneId, end.number, snapshot.name)))
      for (const { last, octets: length } of steps) {
        records.push({ last, octets: length, index: records.length });
        octets += length;
      }
    const portions = (): Iterable<readonly LastStep[]> => chunksOf(records);
    return {
      id: zoneId,
      name: snapshot.name,
      zone: newZoneOf(snapshot),
      recordCount: records.length,
      octets,
      portions,
    };
  }

  /** @throws ServiceError `serial_not_found` if the history was removed meanwhile */
  async read(tx: Transaction, { id, name }: FormerContents, chunk: readonly LastStep[]): Promise<FormerRecord[]> {
    const numbers = chunk.map(({ last }) => last);
    const steps = await this.history.steps(tx, id, numbers);
    return chunk.map(({ last, index }) => {
      // The last step of an existing record has a record snapshot after it.
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

  private async *lastSteps(
    tx: Transaction,
    zoneId: string,
    end: number,
    name: string,
  ): AsyncGenerator<readonly CompactedStep[]> {
    const { count, records } = await compactSteps(this.history.outline(tx, zoneId, 0, end));
    if (count !== end) throw notKept({ name }, 'its beginning, which has records that were there at the end');
    if (records.size > MOST_RECORDS) throw tooMany(name);
    for (const chunk of chunksOf(records.values())) {
      yield chunk;
      await nextTurn();
    }
  }
}

function snapshotBefore(end: JournalRow): ZoneSnapshot {
  // `zone.delete` has a zone snapshot before it.
  return readStep(end).before as ZoneSnapshot;
}

function newZoneOf({
  name,
  email,
  ttl,
  description,
  generation,
  masters,
  labels: own,
}: ZoneSnapshot): NewZone | NewSecondaryZone {
  const labels = own ?? {};
  if (masters !== undefined) return { name, masters, description, labels };
  const { apexNs = null, soaTtl = null } = generation ?? {};
  return { name, email, ttl, soaTtl, description, apexNs, labels };
}

function tooMany(name: string): ServiceError {
  return new ServiceError(
    'file_too_large',
    `${name} had more than ${MOST_RECORDS} records; make the domain anew and import its zone file.`,
  );
}

export interface ReadableRecord extends FormerRecord {
  readonly content: RecordContent;
}

/** Records of a deleted zone that current rules refuse. */
export class FormerRecordFaults {
  private readonly faults: OperationFault[] = [];

  get areMany(): boolean {
    return this.faults.length > MOST_ERRORS;
  }

  /** Adds a fault for each record of an unsupported type, and skips expired records. */
  readable(records: readonly FormerRecord[], types: RecordTypes, now: Instant): ReadableRecord[] {
    return records.flatMap((former) => {
      const { expiresAt = null } = former.record;
      if (expiresAt !== null && expiresAt <= now) return [];
      try {
        return [{ ...former, content: readRecordContent(types, former.record) }];
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        this.add(former, error);
        return [];
      }
    });
  }

  add({ index, record: { name, type } }: FormerRecord, error: ServiceError): void {
    const named = (message: string): string => `${name} ${type}: ${message}`;
    const errors = error.errors.map((one) => ({ ...one, message: named(one.message) }));
    this.faults.push({ index, error: new ServiceError(error.code, named(error.message), errors, null, error.facts) });
  }

  assertNone(): void {
    if (this.faults.length > 0) throw new OperationsRefused(this.faults);
  }
}

/** Leaves out the addresses of each ALIAS, which is older: the service resolves them again. */
export class FormerAliases {
  private readonly ownerKeys = new Set<string>();

  without(records: readonly ReadableRecord[]): ReadableRecord[] {
    return records.filter(({ content: { ownerKey, type } }) => {
      if (type === ALIAS.name) this.ownerKeys.add(ownerKey);
      return !(this.ownerKeys.has(ownerKey) && ALIAS_ADDRESSES.includes(type));
    });
  }
}
