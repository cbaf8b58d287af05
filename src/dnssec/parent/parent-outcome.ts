import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { CommitHooks } from '../../zones/changes/zone-change-notifier.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecRequests } from '../dnssec-requests.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { type ParentStatement, ParentStatements, USUAL_DS_TTL } from '../parent-statements.js';
import { type LockedZone, SigningContext } from '../signing-context.js';
import { backoff } from '../signing/signing-clock.js';
import type { ZoneRolloverEntity } from '../rollovers/zone-rollover.entity.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import {
  agreedDs,
  type AwaitedDs,
  awaitedDs,
  isAsAwaited,
  isOursAtParent,
  longestTtl,
  NO_DS,
  type ParentObservation,
} from './parent-observation.js';
import type { ZoneParentEntity } from './zone-parent.entity.js';

const HOUR = 3600 * SECOND;
/** The minimum between two observations of foreign name servers. */
const MIN_PAUSE = 5 * SECOND;
/** Without an awaited DS: finds a lost DS, or a DS of other keys. */
const QUIET_PAUSE = 6 * HOUR;

export interface PolledZone {
  readonly row: ZoneSigningEntity;
  readonly zone: ZoneEntity;
  readonly keys: readonly ZoneKeyEntity[];
  readonly rollover: ZoneRolloverEntity | null;
  readonly cds: SignedSetEntity | null;
  readonly cdnskey: SignedSetEntity | null;
  readonly notifiedFor: string | null;
}

export interface PollResult {
  readonly observation: ParentObservation;
  /** The digest of the CDS that the parent was notified for; `null`: never notified. */
  readonly notifiedFor: string | null;
}

@Injectable()
export class ParentOutcome {
  constructor(
    private readonly context: SigningContext,
    private readonly statements: ParentStatements,
    private readonly requests: DnssecRequests,
    private readonly commits: CommitHooks,
    private readonly clock: Clock,
  ) {}

  /** Stores the result and schedules the next poll, unless the keys changed meanwhile. */
  async settle(polled: PolledZone, result: PollResult): Promise<void> {
    const { zone, row: read } = polled;
    const nextPoll = nextPollAt(polled, result, this.clock.now());
    const hasMoved = await this.context.update(zone.id, async (tx, row) => {
      if (row?.keysVersion !== read.keysVersion) return false;
      await this.context.signing.lookAtParent(tx, zone.id, nextPoll);
      return this.settleIn({ tx, zone, row }, result);
    });
    if (hasMoved) this.commits.tell(zone.id);
  }

  /** Stops polling until the state or the keys of the zone change. */
  rest({ zoneId, keysVersion }: ZoneSigningEntity): Promise<void> {
    return this.context.update(zoneId, async (tx, row) => {
      if (row?.keysVersion === keysVersion) await this.context.signing.lookAtParent(tx, zoneId, null);
    });
  }

  private async settleIn(locked: LockedZone, result: PollResult): Promise<boolean> {
    const { tx, zone, row } = locked;
    const { keys: keyRows, rollovers, parents } = this.context;
    const keys = await keyRows.ofZone(tx, row.zoneId);
    const awaited = awaitedDs(row, await rollovers.find(tx, row.zoneId), keys);
    const parent = this.rowOf(zone, result, keys, awaited, await parents.find(tx, row.zoneId));
    await parents.write(tx, parent);
    return this.follow(locked, result.observation, awaited, parent);
  }

  private rowOf(
    zone: Readonly<ZoneEntity>,
    { observation, notifiedFor }: PollResult,
    keys: readonly ZoneKeyEntity[],
    awaited: AwaitedDs | null,
    before: ZoneParentEntity | null,
  ): ZoneParentEntity {
    const now = this.clock.now();
    const agreed = agreedDs(observation);
    const isHere = agreed !== null && awaited !== null && isAsAwaited(zone.name, agreed, awaited);
    // Caches may have the former DS, with the longer of both TTLs.
    const formerTtl = awaited === null ? null : (before?.dsTtl ?? null);
    const ttls = [longestTtl(observation), formerTtl].filter((ttl) => ttl !== null);
    return {
      ...{ zoneId: zone.id, nameKey: zone.nameKey, isLeft: 0, sight: JSON.stringify(observation), seenAt: now },
      agreedSince: isHere ? (before?.agreedSince ?? now) : null,
      dsTtl: ttls.length === 0 ? null : Math.max(...ttls),
      notifiedFor: notifiedFor ?? before?.notifiedFor ?? null,
      mismatchSince: isOursAtParent(zone.name, agreed, keys) === false ? (before?.mismatchSince ?? now) : null,
    };
  }

  private async follow(
    locked: LockedZone,
    observation: ParentObservation,
    awaited: AwaitedDs | null,
    { agreedSince, dsTtl }: ZoneParentEntity,
  ): Promise<boolean> {
    const agreed = agreedDs(observation);
    if (agreed === null) return false;
    if (awaited === null) return this.recordLostDs(locked, observation, agreed);
    if (agreedSince === null) return this.statements.takeBack(locked);
    if (!isConfirmed(locked.zone.name, observation, awaited)) return false;
    const left = Math.ceil((agreedSince - this.clock.now()) / SECOND) + (dsTtl ?? USUAL_DS_TTL);
    return this.take(locked, { hasDs: awaited.of.length > 0, ttl: Math.max(0, left) });
  }

  /** The parent deleted the DS of a secure zone: validators treat the zone as unsigned. */
  private async recordLostDs(
    locked: LockedZone,
    observation: ParentObservation,
    agreed: readonly string[],
  ): Promise<boolean> {
    const { tx, zone, row } = locked;
    const isLost = row.state === 'secure' && agreed.length === 0 && isConfirmed(zone.name, observation, NO_DS);
    if (!isLost || (await this.context.rollovers.find(tx, row.zoneId)) !== null) return false;
    return this.take(locked, { hasDs: false, ttl: 0 });
  }

  private async take(locked: LockedZone, statement: ParentStatement): Promise<boolean> {
    if (!(await this.statements.take(locked, statement))) return false;
    const { tx, zone } = locked;
    const details = { ds: statement.hasDs ? 'published' : 'removed' };
    await this.requests.note(tx, administrator('signer', 'signer'), 'dnssec.parent', zone, details);
    return true;
  }
}

/** Answers of name servers can be forged, validated answers cannot. The resolver may cache the former DS. */
function isConfirmed(zoneName: string, { resolver }: ParentObservation, awaited: AwaitedDs): boolean {
  if (resolver === null) return true;
  return resolver.ds !== null && isAsAwaited(zoneName, resolver.ds, awaited);
}

function nextPollAt(polled: PolledZone, { observation, notifiedFor }: PollResult, now: Instant): Instant {
  const { row, keys, rollover, cds } = polled;
  const isAwaited = awaitedDs(row, rollover, keys) !== null;
  const isUnnotified = !observation.isHosted && cds !== null && cds.digest !== notifiedFor;
  const isOpen = isAwaited || isUnnotified || agreedDs(observation) === null;
  if (!isOpen) return now + QUIET_PAUSE;
  const since = Math.max(row.stateSince, rollover?.stepSince ?? 0);
  // A hosted parent zone costs no foreign queries.
  if (observation.isHosted && observation.problem === null) return backoff(since, now);
  return Math.max(backoff(since, now, HOUR), now + MIN_PAUSE);
}
