import { Injectable } from '@nestjs/common';
import { maySee } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import { Reads } from '../../database/reads.js';
import { ZoneChanges } from '../changes/zone-changes.js';
import { ZoneContents } from '../zone-contents.js';
import { type ZoneShareEntity, type ZoneShare, ZoneShareRepository } from './zone-share.repository.js';
import type { ZoneEntity } from '../zone.entity.js';
import { noSuchZone, ZoneRepository } from '../zone.repository.js';

/** Grantees see the zone and add their own record sets (behaviour 13.10). */
@Injectable()
export class ZoneSharesService {
  constructor(
    private readonly shares: ZoneShareRepository,
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly contents: ZoneContents,
    private readonly reads: Reads,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws ServiceError `forbidden` for a grantee, `change_not_allowed` for the owner as grantee, `duplicate_share`
   */
  share(zoneId: string, targetTenantId: string, caller: Caller): Promise<ZoneShare> {
    const share = this.changes.withZoneLock(zoneId, caller, async ({ zone }, tx) => {
      const { tenantId, name } = zone;
      if (targetTenantId === tenantId)
        throw new ServiceError('change_not_allowed', `${name} belongs to that project; share it with another one.`);
      if (await this.shares.isSharedWith(tx, zoneId, targetTenantId))
        throw new ServiceError('duplicate_share', `${name} is shared with that project already.`);
      const createdAt = this.clock.now();
      const made = { id: timeOrderedUuid(createdAt), zoneId, targetTenantId, createdAt };
      await this.shares.insert(tx, made);
      await this.trail.record(tx, caller, [actOn('share.create', made, zone)]);
      return { ...made, tenantId };
    });
    return this.asOwner(zoneId, caller, share);
  }

  get(zoneId: string, id: string, caller: Caller): Promise<ZoneShare> {
    return this.reads.run(async (tx) => {
      const isOwn = await this.isOwn(zoneId, caller);
      const share = await this.shares.find(tx, zoneId, id);
      if (share === undefined || !(isOwn || share.targetTenantId === caller.tenantId)) throw noSuchShare();
      return share;
    });
  }

  /** A grantee sees only its own share. */
  async page(zoneId: string, caller: Caller, query: CollectionQuery): Promise<FilteredPage<ZoneShare>> {
    return this.shares.page(zoneId, (await this.isOwn(zoneId, caller)) ? null : caller.tenantId, query);
  }

  /** @throws ServiceError `forbidden`, `share_not_found`, `shared_zone_has_record_sets` of the grantee */
  end(zoneId: string, id: string, caller: Caller): Promise<void> {
    const ending = this.changes.withZoneLock(zoneId, caller, async ({ zone }, tx) => {
      const share = await this.shares.find(tx, zoneId, id);
      if (share === undefined) throw noSuchShare();
      if (await this.contents.hasRecordSetsOf(tx, zoneId, share.targetTenantId))
        throw new ServiceError(
          'shared_zone_has_record_sets',
          `That project has record sets in ${zone.name}; delete them first.`,
        );
      await this.shares.delete(tx, id);
      await this.trail.record(tx, caller, [actOn('share.delete', share, zone)]);
    });
    return this.asOwner(zoneId, caller, ending);
  }

  isShared(zoneId: string): Promise<boolean> {
    return this.reads.run((tx) => this.shares.isShared(tx, zoneId));
  }

  /** If the caller is a grantee, throws `forbidden` in place of `zone_not_found`. */
  async asOwner<T>(zoneId: string, caller: Caller, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const isHidden = error instanceof ServiceError && error.code === 'zone_not_found';
      if (isHidden && (await this.reads.run((tx) => this.shares.isGrantee(tx, zoneId, caller))))
        throw new ServiceError('forbidden', 'The zone is shared with this project; only its owner may do this.');
      throw error;
    }
  }

  private isOwn(zoneId: string, caller: Caller): Promise<boolean> {
    return this.reads.run(async (tx) => {
      const zone = await this.zones.findIn(tx, zoneId);
      if (zone !== undefined && maySee(caller, zone)) return true;
      if (zone !== undefined && (await this.shares.isGrantee(tx, zoneId, caller))) return false;
      throw noSuchZone();
    });
  }
}

function noSuchShare(): ServiceError {
  return new ServiceError('share_not_found', 'Could not find SharedZone');
}

function actOn(
  action: 'share.create' | 'share.delete',
  { id, targetTenantId }: Readonly<ZoneShareEntity>,
  zone: Readonly<ZoneEntity>,
): AuditedAct {
  const details = { target_project_id: targetTenantId };
  return { action, ownerId: zone.tenantId, zone, subject: { id, name: null }, details };
}
