import { Injectable } from '@nestjs/common';
import { assertNotScoped, isAdmin, isScoped, mayManage } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ChangeLimits } from '../changes/change-limits.js';
import { ZoneChanges } from '../changes/zone-changes.js';
import { ZoneOwnershipService } from './zone-ownership.service.js';
import type { OwnershipTransferAcceptEntity } from './ownership-transfer.entity.js';
import {
  type OfferedZone,
  type OwnershipTransferRequest,
  OwnershipTransferRepository,
} from './ownership-transfer.repository.js';
import { hash, randomInt, timingSafeEqual } from 'node:crypto';

export interface OwnershipOffer {
  /** `null`: any tenant with the key. */
  readonly targetTenantId?: string | null;
  readonly description?: string | null;
}

/** Transfers the ownership of zones: one tenant offers a zone, another accepts it with the key (behaviour 13.9). */
@Injectable()
export class OwnershipTransfersService {
  constructor(
    private readonly transfers: OwnershipTransferRepository,
    private readonly changes: ZoneChanges,
    private readonly ownership: ZoneOwnershipService,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `zone_not_found`, `duplicate_transfer_request`, `rate_limited` */
  offer(zoneId: string, caller: Caller, offer: OwnershipOffer): Promise<OwnershipTransferRequest> {
    // The zone lock ensures a single offer.
    return this.changes.withZoneLock(zoneId, caller, async ({ zone }, tx) => {
      if (await this.transfers.isOffered(tx, zoneId)) throw alreadyOffered(zone.name);
      const { targetTenantId = null, description = null } = offer;
      const createdAt = this.clock.now();
      const request: OwnershipTransferRequest = {
        ...{ id: timeOrderedUuid(createdAt), zoneId, zoneName: zone.name, tenantId: zone.tenantId },
        ...{ targetTenantId, description, key: newOwnershipKey(), status: 'ACTIVE', createdAt, updatedAt: null },
      };
      await this.transfers.insert(tx, request);
      await this.trail.record(tx, caller, [actOn('transfer_request.create', request)]);
      return request;
    });
  }

  /** Admins see all offers. */
  async get(id: string, caller: Caller): Promise<OwnershipTransferRequest> {
    const request = (await this.transfers.find(id)) ?? throwNoSuchRequest();
    if (isScoped(caller)) throwNoSuchRequest();
    if (!mayManage(caller, request) && !isAdmin(caller)) assertFor(request, caller);
    return request;
  }

  page(caller: Caller, query: CollectionQuery): Promise<FilteredPage<OwnershipTransferRequest>> {
    return this.transfers.page(caller, query);
  }

  update(id: string, caller: Caller, offer: OwnershipOffer): Promise<OwnershipTransferRequest> {
    assertNotScoped(caller, 'to hand over zones');
    const change = async (tx: Transaction): Promise<OwnershipTransferRequest> => {
      const before = (await this.transfers.lock(tx, id)) ?? throwNoSuchRequest();
      if (!mayManage(caller, before))
        throw new ServiceError('forbidden', 'Only the project that offered the zone can change the offer.');
      const { targetTenantId = before.targetTenantId, description = before.description } = offer;
      // Behaviour 1.15.
      if (targetTenantId === before.targetTenantId && description === before.description) return before;
      const request = { ...before, targetTenantId, description, updatedAt: this.clock.now() };
      await this.transfers.update(tx, request);
      await this.trail.record(tx, caller, [actOn('transfer_request.update', request)]);
      return request;
    };
    return this.limits.run(caller.tenantId, () => this.unitOfWork.run(change));
  }

  /** Also removes accepted offers and offers of deleted zones. */
  delete(id: string, caller: Caller): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      const request = await this.transfers.lockEven(tx, id);
      if (request === undefined || !mayManage(caller, request)) throwNoSuchRequest();
      await this.transfers.delete(tx, id);
      await this.trail.record(tx, caller, [actOn('transfer_request.delete', request)]);
    });
  }

  /** @throws ServiceError `invalid_transfer_request` if already accepted, `invalid_transfer_key`, `over_quota` */
  async accept(id: string, key: string, caller: Caller): Promise<OwnershipTransferAcceptEntity> {
    assertNotScoped(caller, 'to accept zones');
    const offered = (await this.transfers.find(id)) ?? throwNoSuchRequest();
    return this.ownership.take(offered.zoneId, caller, {
      judge: async (tx) => assertMayAccept((await this.transfers.lock(tx, id)) ?? throwNoSuchRequest(), key, caller),
      write: (tx) => this.complete(tx, offered, caller),
    });
  }

  async getAccept(id: string, caller: Caller): Promise<OwnershipTransferAcceptEntity> {
    const accept = await this.transfers.findAccept(id);
    if (accept !== undefined && mayManage(caller, accept)) return accept;
    throw new ServiceError('transfer_accept_not_found', 'Could not find ZoneTransferAccept');
  }

  pageOfAccepts(caller: Caller, query: CollectionQuery): Promise<FilteredPage<OwnershipTransferAcceptEntity>> {
    return this.transfers.pageOfAccepts(caller, query);
  }

  private async complete(
    tx: Transaction,
    offered: OwnershipTransferRequest,
    caller: Caller,
  ): Promise<OwnershipTransferAcceptEntity> {
    const { id: requestId, zoneId } = offered;
    const { tenantId } = caller;
    const createdAt = this.clock.now();
    const accept = { id: timeOrderedUuid(createdAt), requestId, zoneId, tenantId, createdAt };
    await this.transfers.complete(tx, requestId, createdAt);
    await this.transfers.insertAccept(tx, accept);
    await this.trail.record(tx, caller, [actOn('transfer_request.accept', offered)]);
    return accept;
  }
}

type Verb = 'create' | 'update' | 'delete' | 'accept';

/** Never logs the key. */
function actOn(action: `transfer_request.${Verb}`, request: OfferedZone): AuditedAct {
  const { id, tenantId, zoneId, zoneName, targetTenantId } = request;
  const zone = { id: zoneId, name: zoneName };
  const details = { target_project_id: targetTenantId };
  return { action, ownerId: tenantId, zone, subject: { id, name: null }, details };
}

function assertMayAccept(request: OwnershipTransferRequest, key: string, caller: Caller): void {
  assertFor(request, caller);
  if (request.status !== 'ACTIVE')
    throw new ServiceError('invalid_transfer_request', 'The zone was already accepted; a key works only once.');
  if (!isSameKey(request.key, key))
    throw new ServiceError(
      'invalid_transfer_key',
      'The key does not match the transfer request; ask the project that created it.',
    );
}

function assertFor({ targetTenantId }: OwnershipTransferRequest, { tenantId }: Caller): void {
  if (targetTenantId === null || targetTenantId === tenantId) return;
  throw new ServiceError('forbidden', 'The transfer request is for another project.');
}

function alreadyOffered(name: string): ServiceError {
  return new ServiceError(
    'duplicate_transfer_request',
    `${name} has a transfer request already; delete that one first.`,
  );
}

function throwNoSuchRequest(): never {
  throw new ServiceError('transfer_request_not_found', 'Could not find ZoneTransferRequest');
}

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 8;

/** Eight random letters and digits: 41 bits. */
function newOwnershipKey(): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}

/** Compares in constant time. */
function isSameKey(key: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', key, 'buffer'), hash('sha256', other, 'buffer'));
}
