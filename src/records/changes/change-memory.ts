import { Injectable } from '@nestjs/common';
import { type HeldMemory, RequestMemory } from '../../common/request-memory.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { EMPTY_SCOPE, type DeferredOperations } from './deferred-operations.js';
import type { RecordOperation } from './record-operation.js';
import { RecordSetRepository } from '../record-set.repository.js';
import { RecordRepository } from '../record.repository.js';
import type { SetKey } from '../record-set.entity.js';

/**
 * A change of so few operations is not weighed, which would cost it another read. An address has at most 64 requests under way:
 * together they write less than 50 MiB.
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

/** Whether a change has enough operations to be weighed. */
export function mayReadMuch({ operations, plan }: Pick<ChangeSize, 'operations' | 'plan'>): boolean {
  const touched = plan === null ? 0 : plan.scope.wholeSets.length + plan.scope.wholeOwners.length;
  return operations.length + touched > FEW_OPERATIONS;
}

/** Weighs the records that a change reads, and reserves memory for them. */
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
    const sets: SetKey[] = operations.filter((operation) => 'ownerKey' in operation);
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
