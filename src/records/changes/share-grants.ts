import { Injectable } from '@nestjs/common';
import { maySee, type CallerRole, roleIn } from '../../auth/policy.js';
import { allOf } from '../../common/all-of.js';
import type { Caller } from '../../common/caller.js';
import type { Transaction } from '../../database/transaction.js';
import { ZoneShareRepository } from '../../zones/sharing/zone-share.repository.js';
import { noSuchZone } from '../../zones/zone.repository.js';
import { noSuchRecordSet } from './operations-on-sets.js';
import type { DoneOperation, RecordOperation } from './record-operation.js';
import { RecordSetCreatorRepository } from '../record-set-creator.repository.js';
import type { ZonePlace } from './state/zone-state.js';

interface Asked {
  readonly caller: Caller;
  readonly operations: readonly RecordOperation[];
}

export interface ZoneAccess {
  readonly role: CallerRole;
  readonly ownSetIds: ReadonlySet<string>;
}

const OWNER: ZoneAccess = { role: 'owner', ownSetIds: new Set() };

@Injectable()
export class ShareGrants {
  constructor(
    private readonly shares: ZoneShareRepository,
    private readonly creators: RecordSetCreatorRepository,
  ) {}

  async accessOf(tx: Transaction, zone: ZonePlace, asked: Asked): Promise<ZoneAccess> {
    const { caller, operations } = asked;
    if (maySee(caller, zone)) return OWNER;
    const setIds = operations.flatMap((operation) => ('setId' in operation ? [operation.setId] : []));
    const [isShared, ownSetIds] = await allOf([
      this.shares.isSharedForChange(tx, zone.id, caller.tenantId),
      this.creators.among(tx, zone.id, setIds, caller.tenantId),
    ]);
    return { role: roleIn(caller, zone, isShared), ownSetIds };
  }

  /** Stores the creator of new sets of a grantee, and forgets sets that it has removed. */
  async recordSetOwners(
    tx: Transaction,
    zoneId: string,
    { tenantId }: Caller,
    operations: readonly DoneOperation[],
  ): Promise<void> {
    const idsOf = (action: DoneOperation['action']): string[] =>
      operations.flatMap((done) => ('set' in done && done.action === action ? [done.set.id] : []));
    await allOf([
      this.creators.insertAll(tx, zoneId, idsOf('create set'), tenantId),
      this.creators.deleteAll(tx, zoneId, idsOf('delete set')),
    ]);
  }
}

/**
 * A grantee may only change whole record sets that it created. Other callers must not learn that the zone exists.
 * @throws ServiceError `zone_not_found`, `record_set_not_found`
 */
export function assertZoneAccess({ role, ownSetIds }: ZoneAccess, operations: readonly RecordOperation[]): void {
  if (role === 'owner') return;
  const isOnSets = operations.every(({ action }) => GRANTEE_ACTIONS.has(action));
  if (role === 'none' || !isOnSets) throw noSuchZone();
  for (const operation of operations)
    if ('setId' in operation && !ownSetIds.has(operation.setId)) throw noSuchRecordSet();
}

export function assertIsOwner({ role }: ZoneAccess): void {
  if (role !== 'owner') throw noSuchZone();
}

const GRANTEE_ACTIONS = new Set<RecordOperation['action']>(['create set', 'update set', 'delete set']);
