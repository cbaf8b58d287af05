import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Transaction } from '../../database/transaction.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { UNUSED } from '../keys/key-usage.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { backoff } from './backoff.js';
import {
  awaitsDs,
  changesSigners,
  usageOfNew,
  usageOfOld,
  firstStep,
  isStoppable,
  stepAfter,
  waitBehind,
} from './rollover-plan.js';
import type { RolloverKind, RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';
import { ZoneRolloverRepository } from './zone-rollover.repository.js';

/** Which keys are to be rolled. */
export interface RolloverRequest {
  readonly kind: RolloverKind;
  /** By its number; of the new keys, where it is to be another one. */
  readonly algorithm?: number | undefined;
  readonly isEmergency: boolean;
}

/** What a step waits for beside the proof that every name server has it. */
export interface CacheDeadlines {
  /** Whether every name server has been seen to have what is published now. */
  readonly isProven: boolean;
  /** Until when caches may have the DNSKEY set that was there before. */
  readonly dnskeyExpiresAt: Instant;
  /** And anything else. */
  readonly allExpiresAt: Instant;
}

/** Those of the two sides that are in use. */
interface RolloverKeys {
  readonly old: readonly ZoneKeyEntity[];
  readonly successors: readonly ZoneKeyEntity[];
}

/**
 * Lets keys take the place of others, so that there is always a chain of which every part is in all caches: a step begins
 * when what the one before has changed is on all name servers, and caches have forgotten what was there before.
 */
@Injectable()
export class KeyRollover {
  constructor(
    private readonly rollovers: ZoneRolloverRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly sets: SignedSetRepository,
    private readonly signing: ZoneSigningRepository,
  ) {}

  /** @throws ServiceError `signing_conflict` where there is no such key, or another rollover is under way */
  async begin(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    { kind, algorithm = row.algorithm, isEmergency }: RolloverRequest,
    now: Instant,
    spare: KeyObject[],
  ): Promise<ZoneRolloverEntity> {
    if (row.state !== 'ready' && row.state !== 'secure')
      throw new ServiceError('signing_conflict', `The keys of ${zone.name} can be rolled when it is ready or secure.`);
    await this.assertNone(tx, zone);
    const all = await this.keyRows.ofZone(tx, zone.id);
    const old = all.filter(({ role, retiredAt }) => retiredAt === null && (kind === 'algorithm' || role === kind));
    assertRollable(zone, row, { kind, algorithm }, old);
    const successors: ZoneKeyEntity[] = [];
    for (const { role } of old)
      successors.push(await this.keys.make(zone, role, algorithm, [...all, ...successors], now, spare));
    await this.keyRows.insert(tx, successors);
    const rollover: ZoneRolloverEntity = {
      ...{ zoneId: zone.id, id: timeOrderedUuid(now), kind, isEmergency: isEmergency ? 1 : 0 },
      ...{ oldKeyId: anchorKey(old).id, newKeyId: anchorKey(successors).id },
      ...stepBegun(firstStep(kind), row, now),
    };
    await this.rollovers.insert(tx, rollover);
    await this.applyStep(tx, row, rollover, { old, successors });
    return rollover;
  }

  /** @throws ServiceError `signing_conflict` where one is under way */
  async assertNone(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    if ((await this.rollovers.find(tx, zone.id)) === null) return;
    throw new ServiceError(
      'signing_conflict',
      `A rollover of ${zone.name} is under way: let it end, or cancel it first.`,
    );
  }

  /**
   * Keys that nobody has seen yet are forgotten; from an algorithm that is published already the way back is that of old keys.
   * @throws ServiceError `signing_conflict` where it has come too far
   */
  async cancel(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    id: string,
    now: Instant,
  ): Promise<void> {
    const rollover = await this.rollovers.find(tx, zone.id);
    if (rollover?.id !== id) throw new ServiceError('signing_conflict', `${zone.name} has no such rollover.`);
    if (!isStoppable(rollover))
      throw new ServiceError(
        'signing_conflict',
        'The DS of the new key has been asked for, or it signs already: the rollover cannot be stopped any more.',
      );
    // As long as nothing was published in this step, nothing would be published by taking the keys out again either.
    const isPublished = rollover.step === 'publish' && row.step > rollover.publicationBefore;
    if (rollover.kind === 'algorithm' && isPublished) {
      const { oldKeyId: newKeyId, newKeyId: oldKeyId } = rollover;
      return this.enter(tx, row, { ...rollover, oldKeyId, newKeyId }, 'remove', now);
    }
    const { successors } = await this.keysOf(tx, rollover);
    for (const key of successors) await this.keyRows.update(tx, retired(key, now));
    if (rollover.kind === 'algorithm') await this.sets.makeDue(tx, row);
    await this.rollovers.delete(tx, zone.id);
  }

  /**
   * The parent zone has the DS of the new key, and not that of the old one.
   * @param dsUntil when caches have forgotten that; `null`: it has not, whatever was said before
   * @returns whether that was waited for
   */
  async recordDs(tx: Transaction, zoneId: string, dsUntil: Instant | null): Promise<boolean> {
    const rollover = await this.rollovers.find(tx, zoneId);
    if (rollover === null || !awaitsDs(rollover) || (rollover.dsUntil === null) === (dsUntil === null)) return false;
    await this.rollovers.update(tx, { ...rollover, dsUntil });
    return true;
  }

  /** Looks whether what a step waits for has come, and begins the next one. Returns whether keys are others now. */
  async advance(tx: Transaction, row: ZoneSigningEntity, waits: CacheDeadlines, now: Instant): Promise<boolean> {
    const rollover = await this.rollovers.find(tx, row.zoneId);
    if (rollover === null) return false;
    if (rollover.provenUntil === null) {
      const isPublished = row.step > rollover.publicationBefore && waits.isProven;
      if (!isPublished || (await this.isOldInUse(tx, row, rollover))) return false;
      const { dnskeyExpiresAt: keys, allExpiresAt: everything } = waits;
      const provenUntil = { keys, everything, nothing: now }[waitBehind(rollover)];
      await this.rollovers.update(tx, { ...rollover, provenUntil });
      return false;
    }
    const isDsOver = !awaitsDs(rollover) || (rollover.dsUntil !== null && rollover.dsUntil <= now);
    if (rollover.provenUntil > now || !isDsOver) return false;
    const next = stepAfter(rollover);
    if (next === null) await this.end(tx, rollover, now);
    else await this.enter(tx, row, rollover, next, now);
    return next !== null;
  }

  /** When something is to be looked at that no change tells of; `null` where nothing is under way. */
  async nextCheckAt(tx: Transaction, zoneId: string, now: Instant): Promise<Instant | null> {
    const rollover = await this.rollovers.find(tx, zoneId);
    if (rollover === null) return null;
    const until = Math.max(rollover.provenUntil ?? 0, rollover.dsUntil ?? 0);
    return Math.max(until, backoff(rollover.stepSince, now));
  }

  private async enter(
    tx: Transaction,
    row: ZoneSigningEntity,
    before: ZoneRolloverEntity,
    step: RolloverStep,
    now: Instant,
  ): Promise<void> {
    const rollover = { ...before, ...stepBegun(step, row, now) };
    await this.rollovers.update(tx, rollover);
    await this.applyStep(tx, row, rollover, await this.keysOf(tx, rollover));
  }

  /** Keys do what they have to in the step. */
  private async applyStep(
    tx: Transaction,
    row: ZoneSigningEntity,
    rollover: ZoneRolloverEntity,
    { old, successors }: RolloverKeys,
  ): Promise<void> {
    for (const key of old) await this.keyRows.update(tx, { ...key, ...usageOfOld(rollover, key.role) });
    for (const key of successors) await this.keyRows.update(tx, { ...key, ...usageOfNew(rollover, key.role) });
    if (changesSigners(rollover)) await this.sets.makeDue(tx, row);
  }

  private async end(tx: Transaction, rollover: ZoneRolloverEntity, now: Instant): Promise<void> {
    const { old, successors } = await this.keysOf(tx, rollover);
    for (const key of old) await this.keyRows.update(tx, retired(key, now));
    await this.signing.setAlgorithm(tx, rollover.zoneId, anchorKey(successors).algorithm);
    await this.rollovers.delete(tx, rollover.zoneId);
  }

  /** Whether there is anything that is not signed by those who are to sign it; all of it has been made due. */
  private async isOldInUse(tx: Transaction, row: ZoneSigningEntity, rollover: ZoneRolloverEntity): Promise<boolean> {
    if (!changesSigners(rollover)) return false;
    if ((await this.sets.firstDue(tx, row)) === 0) return true;
    const signers = (await this.keyRows.ofZone(tx, row.zoneId)).filter(({ signsZone }) => signsZone === 1);
    return this.sets.isSignedByOthers(tx, row, signers.map(({ tag }) => tag).join(','));
  }

  private async keysOf(
    tx: Transaction,
    { zoneId, kind, oldKeyId, newKeyId }: ZoneRolloverEntity,
  ): Promise<RolloverKeys> {
    const keys = (await this.keyRows.ofZone(tx, zoneId)).filter(({ retiredAt }) => retiredAt === null);
    const successors = keys.find(({ id }) => id === newKeyId);
    const old = keys.find(({ id }) => id === oldKeyId);
    if (successors === undefined || old === undefined)
      throw new Error(`the zone ${zoneId} has lost keys of its rollover`);
    if (kind !== 'algorithm') return { old: [old], successors: [successors] };
    const of = ({ algorithm }: ZoneKeyEntity): ZoneKeyEntity[] => keys.filter((key) => key.algorithm === algorithm);
    return { old: of(old), successors: of(successors) };
  }
}

function assertRollable(
  { name }: Readonly<ZoneEntity>,
  row: ZoneSigningEntity,
  { kind, algorithm }: { readonly kind: RolloverKind; readonly algorithm: number },
  old: readonly ZoneKeyEntity[],
): void {
  if (old.length === 0) throw new ServiceError('signing_conflict', `${name} has no ${kind}.`);
  if (kind === 'algorithm' && algorithm === row.algorithm)
    throw new ServiceError(
      'signing_conflict',
      `The keys of ${name} are of ${signingAlgorithm(algorithm).mnemonic} already: roll one of them, or name another algorithm.`,
    );
}

/** What a DS refers to; of one key, that. */
function anchorKey(keys: readonly ZoneKeyEntity[]): ZoneKeyEntity {
  const entry = keys.find(({ role }) => role !== 'zsk') ?? keys[0];
  if (entry === undefined) throw new Error('a rollover is one of keys');
  return entry;
}

function stepBegun(
  step: RolloverStep,
  row: ZoneSigningEntity,
  now: Instant,
): Pick<ZoneRolloverEntity, 'step' | 'stepSince' | 'publicationBefore' | 'provenUntil' | 'dsUntil'> {
  return { step, stepSince: now, publicationBefore: row.step, provenUntil: null, dsUntil: null };
}

function retired(key: ZoneKeyEntity, now: Instant): ZoneKeyEntity {
  return { ...key, ...UNUSED, retiredAt: now };
}
