import { Injectable } from '@nestjs/common';
import { type HeldMemory, RequestMemory } from '../../common/request-memory.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { NOTHING_TOUCHED, type OperationPlan } from './operation-plan.js';
import type { RecordOperation } from './record-operation.js';
import { RecordSetRepository } from '../record-set.repository.js';
import { RecordRepository } from '../record.repository.js';
import type { SetKey } from '../record-set.entity.js';

/** Of fewer operations it is not looked how long their records are: there are at most 64 such requests of an address. */
const FEW = 16;
/** A set says the octets of its RDATA. Text and RDATA in hexadecimal have three times as many. */
const OCTETS_OF_RDATA_OCTET = 3;

interface AskedChange {
  readonly zoneId: string;
  readonly caller: { readonly tenantId: string };
  readonly operations: readonly RecordOperation[];
  readonly plan: OperationPlan | null;
}

/** Whether a change has so many operations that it is worth looking how much it reads. */
export function mayReadMuch({ operations, plan }: Pick<AskedChange, 'operations' | 'plan'>): boolean {
  const touched = plan === null ? 0 : plan.touches.wholeSets.length + plan.touches.wholeOwners.length;
  return operations.length + touched > FEW;
}

/** Has a change wait until there is memory for the records that it makes the service read. */
@Injectable()
export class ChangeMemory {
  constructor(
    private readonly reads: Reads,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly memory: RequestMemory,
  ) {}

  /** @throws ServiceError `unavailable` where others have it for too long */
  async hold({ zoneId, caller, operations, plan }: AskedChange): Promise<HeldMemory> {
    const touches = plan?.touches;
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
    { wholeOwners } = NOTHING_TOUCHED,
  ): Promise<number> {
    const asked = new Set(sets.map(({ ownerKey, type }) => `${ownerKey} ${type}`));
    const whole = new Set(wholeOwners);
    const owners = new Set([...sets.map(({ ownerKey }) => ownerKey), ...whole]);
    const stored = await this.recordSets.atOwners(tx, zoneId, [...owners]);
    const read = stored.filter(({ ownerKey, type }) => whole.has(ownerKey) || asked.has(`${ownerKey} ${type}`));
    return OCTETS_OF_RDATA_OCTET * read.reduce((sum, { octets }) => sum + octets, 0);
  }
}
