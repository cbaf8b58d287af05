import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecRequests } from '../dnssec-requests.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { ParentStatements, USUAL_DS_TTL } from '../parent-statements.js';
import { ZoneRolloverRepository } from '../rollovers/zone-rollover.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { type AwaitedDs, awaitedDs, isAsAwaited } from './awaited-ds.js';
import { agreedDs, longestTtl, type ParentObservation } from './parent-observation.js';
import { isOursAtParent } from './parent-status.js';
import type { ZoneParentEntity } from './zone-parent.entity.js';
import { ZoneParentRepository } from './zone-parent.repository.js';

/** What one look has brought. */
export interface SeenParent {
  readonly zone: ZoneEntity;
  readonly sight: ParentObservation;
  /** The digest of the CDS that the parent was told of; `null`: of none. */
  readonly notifiedFor: string | null;
}

/** Does what follows from what was seen in the parent zone. */
@Injectable()
export class ParentOutcome {
  constructor(
    private readonly parents: ZoneParentRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly statements: ParentStatements,
    private readonly requests: DnssecRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly commits: CommitHooks,
    private readonly clock: Clock,
  ) {}

  /** @param nextLook when the zone is looked at again, unless its state or keys change before */
  async settle(read: ZoneSigningEntity, seen: SeenParent, nextLook: Instant): Promise<void> {
    const { id: zoneId } = seen.zone;
    const hasMoved = await this.unitOfWork.run(
      async (tx) => {
        const row = await this.signing.lock(tx, zoneId);
        // What was seen belongs to other keys.
        if (row?.keysVersion !== read.keysVersion) return false;
        await this.signing.lookAtParent(tx, zoneId, nextLook);
        return this.settleIn(tx, row, seen);
      },
      { zoneId },
    );
    if (hasMoved) this.commits.tell(zoneId);
  }

  /** Until its state or its keys change there is nothing to look at. */
  rest({ zoneId, keysVersion }: ZoneSigningEntity): Promise<void> {
    return this.unitOfWork.run(
      async (tx) => {
        const row = await this.signing.lock(tx, zoneId);
        if (row?.keysVersion === keysVersion) await this.signing.lookAtParent(tx, zoneId, null);
      },
      { zoneId },
    );
  }

  private async settleIn(tx: Transaction, row: ZoneSigningEntity, seen: SeenParent): Promise<boolean> {
    const keys = await this.keyRows.ofZone(tx, row.zoneId);
    const awaited = awaitedDs(row, await this.rollovers.find(tx, row.zoneId), keys);
    const before = await this.parents.find(tx, row.zoneId);
    const parent = this.rowOf(seen, keys, awaited, before);
    await this.parents.write(tx, parent);
    return this.follow(tx, row, seen, awaited, parent);
  }

  private rowOf(
    { zone, sight, notifiedFor }: SeenParent,
    keys: readonly ZoneKeyEntity[],
    awaited: AwaitedDs | null,
    before: ZoneParentEntity | null,
  ): ZoneParentEntity {
    const now = this.clock.now();
    const agreed = agreedDs(sight);
    const isHere = agreed !== null && awaited !== null && isAsAwaited(zone.name, agreed, awaited);
    // Caches may have the DS of before, with the longer of both ttls.
    const known = [longestTtl(sight), awaited === null ? null : (before?.dsTtl ?? null)].filter((ttl) => ttl !== null);
    return {
      ...{ zoneId: zone.id, nameKey: zone.nameKey, isLeft: 0, sight: JSON.stringify(sight), seenAt: now },
      agreedSince: isHere ? (before?.agreedSince ?? now) : null,
      dsTtl: known.length === 0 ? null : Math.max(...known),
      notifiedFor: notifiedFor ?? before?.notifiedFor ?? null,
      mismatchSince: isOursAtParent(zone.name, agreed, keys) === false ? (before?.mismatchSince ?? now) : null,
    };
  }

  private async follow(
    tx: Transaction,
    row: ZoneSigningEntity,
    { zone, sight }: SeenParent,
    awaited: AwaitedDs | null,
    { agreedSince, dsTtl }: ZoneParentEntity,
  ): Promise<boolean> {
    const agreed = agreedDs(sight);
    if (agreed === null) return false;
    if (awaited === null) return this.recordLostDs(tx, row, zone, sight, agreed);
    if (agreedSince === null) return this.statements.takeBack(tx, row);
    if (!isConfirmed(zone.name, sight, awaited)) return false;
    const left = Math.ceil((agreedSince - this.clock.now()) / SECOND) + (dsTtl ?? USUAL_DS_TTL);
    return this.take(tx, row, zone, { hasDs: awaited.of.length > 0, ttl: Math.max(0, left) });
  }

  /** Somebody has taken it out of the parent zone, so that nobody looks for signatures. */
  private async recordLostDs(
    tx: Transaction,
    row: ZoneSigningEntity,
    zone: ZoneEntity,
    sight: ParentObservation,
    agreed: readonly string[],
  ): Promise<boolean> {
    const isLost =
      row.state === 'secure' && agreed.length === 0 && isConfirmed(zone.name, sight, { of: [], notOf: [] });
    if (!isLost || (await this.rollovers.find(tx, row.zoneId)) !== null) return false;
    return this.take(tx, row, zone, { hasDs: false, ttl: 0 });
  }

  private async take(
    tx: Transaction,
    row: ZoneSigningEntity,
    zone: ZoneEntity,
    statement: { readonly hasDs: boolean; readonly ttl: number },
  ): Promise<boolean> {
    if (!(await this.statements.take(tx, zone, row, statement))) return false;
    const details = { ds: statement.hasDs ? 'published' : 'removed' };
    await this.requests.note(tx, administrator('signer', 'signer'), 'dnssec.parent', zone, details);
    return true;
  }
}

/**
 * Anybody on the way can forge what a name server says, and nobody what the resolver has found secure. It may have what was there
 * before until the ttl of that is over.
 */
function isConfirmed(zoneName: string, { resolver }: ParentObservation, awaited: AwaitedDs): boolean {
  if (resolver === null) return true;
  return resolver.ds !== null && isAsAwaited(zoneName, resolver.ds, awaited);
}
