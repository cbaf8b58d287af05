import { GROUP_OPERATIONS } from '../../database/unit-of-work.js';
import { Injectable } from '@nestjs/common';
import { type HeldMemory, RequestMemory } from '../../common/request-memory.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import {
  EMPTY_SCOPE,
  type DeferredOperations,
  isOnWholeSet,
  type RecordOperation,
  type OperationScope,
} from './record-operation.js';
import { RecordSetRepository } from '../record-set.repository.js';
import { RecordRepository } from '../record.repository.js';
import type { SetKey } from '../record-set.entity.js';
import { ServiceError } from '../../common/service-error.js';
import { surcharge } from '../../common/waiting/token-bucket.js';
import type { RecordEntity } from '../record.entity.js';
import type { ZoneState } from './state/zone-state.js';

/**
 * Weighing costs another read, so it skips small changes. An address has at most 64 requests under way, which together
 * write less than 50 MiB.
 */
const FEW_OPERATIONS = 4;
/** `record_sets.octets` counts RDATA; text and RDATA in hexadecimal are three times as long. */
const STORED_OCTETS_PER_RDATA_OCTET = 3;

interface ChangeSize {
  readonly zoneId: string;
  readonly caller: { readonly tenantId: string };
  readonly operations: readonly RecordOperation[];
  readonly plan: DeferredOperations | null;
}

export function mayReadMuch({ operations, plan }: Pick<ChangeSize, 'operations' | 'plan'>): boolean {
  const touched = plan === null ? 0 : plan.scope.wholeSets.length + plan.scope.wholeOwners.length;
  return operations.length + touched > FEW_OPERATIONS;
}

/** Size in operations; reserved memory counts in proportion. */
export function sizeOf({ plan, operations }: Pick<ChangeSize, 'plan' | 'operations'>, octets = 0): number {
  const contents = operations.map((one) => ('ownerKey' in one && 'contents' in one ? (one.contents?.length ?? 0) : 0));
  const size = plan?.size ?? contents.reduce((sum, count) => sum + 1 + count, 0);
  return size + Math.floor((GROUP_OPERATIONS * octets) / MOST_OCTETS_WRITTEN);
}

@Injectable()
export class ChangeMemory {
  constructor(
    private readonly reads: Reads,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly memory: RequestMemory,
  ) {}

  /** @throws ServiceError `unavailable` after 10 seconds without enough memory */
  async hold({ zoneId, caller, operations, plan }: ChangeSize): Promise<HeldMemory> {
    const touches = plan?.scope;
    const ids = operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
    const sets: SetKey[] = operations.filter(isOnWholeSet);
    const octets = await this.reads.run(async (tx) => {
      const ofRecords = ids.length === 0 ? [] : await this.records.setsOf(tx, zoneId, ids);
      return this.octetsOfSets(tx, zoneId, [...sets, ...ofRecords, ...(touches?.wholeSets ?? [])], touches);
    });
    return this.memory.holdRecords(caller.tenantId, octets);
  }

  private async octetsOfSets(
    tx: Transaction,
    zoneId: string,
    sets: readonly SetKey[],
    { wholeOwners } = EMPTY_SCOPE,
  ): Promise<number> {
    const asked = new Set(sets.map(({ ownerKey, type }) => `${ownerKey} ${type}`));
    const whole = new Set(wholeOwners);
    const owners = new Set([...sets.map(({ ownerKey }) => ownerKey), ...whole]);
    const stored = await this.recordSets.atOwners(tx, zoneId, [...owners]);
    const read = stored.filter(({ ownerKey, type }) => whole.has(ownerKey) || asked.has(`${ownerKey} ${type}`));
    return STORED_OCTETS_PER_RDATA_OCTET * read.reduce((sum, { octets }) => sum + octets, 0);
  }
}

/** 16 MiB. On SQLite the commit of twice as much holds the event loop for 75 ms, where rule 1.14 allows 100 ms. */
const MOST_OCTETS_WRITTEN = 16_777_216;
/** 64 MiB. The commit takes up to 80 ms. */
const MOST_OCTETS_DELETED = 67_108_864;
const MIB = 1_048_576;

interface ReadRequest {
  readonly operations: readonly RecordOperation[];
  readonly plan: Pick<DeferredOperations, 'scope'> | null;
}

/** @throws ServiceError `file_too_large` for a commit that writes too much. Only the journal stores `deleted`. */
export function assertWritesLittle(written: Iterable<StoredTexts>, deleted: Iterable<StoredTexts>): void {
  assertFits(written, 'writes', MOST_OCTETS_WRITTEN);
  assertFits(deleted, 'deletes', MOST_OCTETS_DELETED);
}

function assertFits(records: Iterable<StoredTexts>, verb: 'writes' | 'deletes', bound: number): void {
  let octets = 0;
  for (const record of records) octets += storedOctets(record);
  if (octets <= bound) return;
  const [size, most] = [octets, bound].map((count) => (count / MIB).toFixed(1));
  throw new ServiceError(
    'file_too_large',
    `The change ${verb} ${size} MiB of record data (text, and RDATA in hexadecimal), more than the ${most} MiB of one change; send it in several changes.`,
  );
}

/** Price of the records that a change reads (behaviour 8.7). `state` must have loaded them. */
export function priceOfReads(state: ZoneState, request: ReadRequest): number {
  return surcharge(octetsReadBy(state, request));
}

function octetsReadBy(state: ZoneState, { operations, plan }: ReadRequest): number {
  let octets = plan === null ? 0 : octetsTouched(state, plan.scope);
  for (const operation of operations) {
    if ('id' in operation) octets += storedOctets(state.record(operation.id));
    else if ('ownerKey' in operation) octets += octetsOfSet(state, operation);
  }
  return octets;
}

function octetsTouched(state: ZoneState, { wholeSets, wholeOwners }: OperationScope): number {
  let octets = 0;
  for (const set of wholeSets) octets += octetsOfSet(state, set);
  for (const ownerKey of wholeOwners)
    for (const type of state.setsAt(ownerKey).keys()) octets += octetsOfSet(state, { ownerKey, type });
  return octets;
}

function octetsOfSet(state: ZoneState, { ownerKey, type }: SetKey): number {
  let octets = 0;
  for (const record of state.set(ownerKey, type)?.members.values() ?? []) octets += storedOctets(record);
  return octets;
}

type StoredTexts = Pick<RecordEntity, 'data' | 'rdata'>;

function storedOctets(record: StoredTexts | null): number {
  return record === null ? 0 : record.data.length + record.rdata.length;
}
