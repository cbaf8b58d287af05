import { Injectable } from '@nestjs/common';
import { type Instant, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Transaction } from '../../database/transaction.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { isOffline } from '../keys/key-responses.js';
import { UNUSED, type ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { type LockedZone, SigningContext } from '../signing-context.js';
import { type NewPrivateKey, ZoneKeys } from '../keys/zone-keys.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { keyTtlOf } from '../signing/present-sets.js';
import { backoff } from '../signing/signing-clock.js';
import { OldSignatures } from './old-signatures.js';
import { assertNotShared, joiningKeys, keysOfSigner, offlineKsk } from './other-signers.js';
import {
  awaitsDs,
  changesSigners,
  usageOfNew,
  usageOfOld,
  firstStep,
  isStoppable,
  waitBehind,
} from './rollover-plan.js';
import { isOver, presentKeys, type RolloverKeys, RolloverStages } from './rollover-stages.js';
import type { RolloverKind, RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';

export interface RolloverRequest {
  readonly kind: RolloverKind;
  /** The algorithm number of the new keys, in a rollover to another algorithm. */
  readonly algorithm?: number | undefined;
  readonly isEmergency: boolean;
  /** The joining or leaving signer. */
  readonly signer?: string | undefined;
  /** DNSKEY RDATA of a joining signer, or of the new KSK whose private key is elsewhere. */
  readonly dnskeys?: readonly Uint8Array[] | undefined;
  /** Of the NS records that delegate to a leaving signer, in seconds. */
  readonly ttl?: number | undefined;
}

export interface CacheDeadlines {
  readonly isProven: boolean;
  /** When caches have expired the former DNSKEY set. */
  readonly dnskeyExpiresAt: Instant;
  /** When caches have expired all former data. */
  readonly allExpiresAt: Instant;
}

type LockedRow = Omit<LockedZone, 'zone'>;

/** Of NS records at most top-level domains, in seconds. */
export const USUAL_NS_TTL = 172_800;

/** Keeps the chain of trust: a step begins when name servers have the previous one and caches expired older data. */
@Injectable()
export class KeyRollover {
  constructor(
    private readonly context: SigningContext,
    private readonly keys: ZoneKeys,
    private readonly oldSignatures: OldSignatures,
    private readonly stages: RolloverStages,
  ) {}

  /** @throws ServiceError `signing_conflict` for a missing key, and during another rollover */
  async begin(
    locked: LockedZone,
    request: RolloverRequest,
    now: Instant,
    spare: NewPrivateKey[],
  ): Promise<ZoneRolloverEntity> {
    const { tx, zone, row } = locked;
    const { kind, isEmergency } = request;
    if (row.state !== 'ready' && row.state !== 'secure')
      throw new ServiceError('signing_conflict', `The keys of ${zone.name} can be rolled when it is ready or secure.`);
    await this.context.assertNoRollover(tx, zone);
    const all = await this.context.keys.ofZone(tx, zone.id);
    const { old, successors } = await this.keysFor(locked, request, all, now, spare);
    const own = all.filter(({ signer, retiredAt }) => signer === null && retiredAt === null);
    await this.context.keys.insert(tx, successors);
    const hasOfflineKsk = row.keyTtl !== null || successors.some(isOffline);
    if (hasOfflineKsk) await this.context.signing.setKeyTtl(tx, zone.id, row.keyTtl ?? keyTtlOf(zone));
    const begun = stepBegun(firstStep(kind, hasOfflineKsk), row, now);
    const rollover: ZoneRolloverEntity = {
      ...{ zoneId: zone.id, id: timeOrderedUuid(now), kind, isEmergency: isEmergency ? 1 : 0 },
      ...{
        oldKeyId: anchorKey(kind === 'join' ? own : old).id,
        newKeyId: anchorKey(kind === 'leave' ? own : successors).id,
      },
      ...begun,
      ...(kind === 'leave' && { dsUntil: now + (request.ttl ?? USUAL_NS_TTL) * SECOND }),
    };
    await this.context.rollovers.insert(tx, rollover);
    await this.applyStep(locked, rollover, { old, successors });
    return rollover;
  }

  private async keysFor(
    { zone, row }: LockedZone,
    { kind, algorithm = row.algorithm, signer = '', dnskeys = [] }: RolloverRequest,
    all: readonly ZoneKeyEntity[],
    now: Instant,
    spare: NewPrivateKey[],
  ): Promise<RolloverKeys> {
    if (kind === 'join') return { old: [], successors: joiningKeys(zone, row, { signer, dnskeys }, all, now) };
    if (kind === 'leave') return { old: keysOfSigner(zone, signer, all), successors: [] };
    const present = presentKeys(all);
    const old = present.filter((key) => key.signer === null && (kind === 'algorithm' || key.role === kind));
    assertRollable(zone, row, { kind, algorithm }, old);
    assertNotShared(zone, kind, present);
    const [dnskey] = dnskeys;
    if (dnskey !== undefined) {
      const successor = offlineKsk(zone, 'dnskeys', { dnskey, algorithm }, all, UNUSED, now);
      return { old, successors: [successor] };
    }
    const successors: ZoneKeyEntity[] = [];
    for (const { role } of old)
      successors.push(await this.keys.make(zone, role, algorithm, [...all, ...successors], now, spare));
    return { old, successors };
  }

  /**
   * Retires unpublished keys, or rolls an algorithm back. Returns whether the whole zone must be signed anew.
   * @throws ServiceError `signing_conflict` once the new key is needed
   */
  async cancel({ tx, zone, row }: LockedZone, id: string, now: Instant): Promise<boolean> {
    const rollover = await this.context.rollovers.find(tx, zone.id);
    if (rollover?.id !== id) throw new ServiceError('signing_conflict', `${zone.name} has no such rollover.`);
    if (!isStoppable(rollover))
      throw new ServiceError(
        'signing_conflict',
        'The DS of the new key has been asked for, or it signs already: the rollover cannot be stopped any more.',
      );
    // Without a publication in this step, no name server has the new keys.
    const isPublished = rollover.step === 'publish' && row.step > rollover.publicationBefore;
    if (rollover.kind === 'algorithm' && isPublished) {
      const { oldKeyId: newKeyId, newKeyId: oldKeyId } = rollover;
      await this.enter({ tx, row }, { ...rollover, oldKeyId, newKeyId }, 'remove', now);
      return false;
    }
    const { successors } = await this.stages.keysOf(tx, rollover);
    for (const key of successors) await this.context.keys.update(tx, retired(key, now));
    await this.context.rollovers.delete(tx, zone.id);
    await this.context.signing.leaveKeyTtl(tx, zone.id);
    return rollover.kind === 'algorithm' && (await this.oldSignatures.makeFirstDue(tx, row));
  }

  /** `dsUntil`: when caches have expired the former DS; `null` withdraws a record. Returns whether it was awaited. */
  async recordDs(tx: Transaction, zoneId: string, dsUntil: Instant | null): Promise<boolean> {
    const rollover = await this.context.rollovers.find(tx, zoneId);
    if (rollover === null || !awaitsDs(rollover) || (rollover.dsUntil === null) === (dsUntil === null)) return false;
    await this.context.rollovers.update(tx, { ...rollover, dsUntil });
    return true;
  }

  /** Has old signatures replaced. Returns whether any are in use. */
  replaceOld(row: ZoneSigningEntity, rollover: ZoneRolloverEntity | null): Promise<boolean> {
    return this.oldSignatures.makeNextDue(row, rollover);
  }

  /** Begins the next step if the present one is complete. Returns whether the keys changed. */
  async advance(tx: Transaction, row: ZoneSigningEntity, waits: CacheDeadlines, now: Instant): Promise<boolean> {
    const rollover = await this.context.rollovers.find(tx, row.zoneId);
    if (rollover === null) return false;
    if (rollover.step !== 'prepare' && rollover.provenUntil === null) {
      // `withdraw` changes nothing.
      const isPublished = row.step > rollover.publicationBefore || rollover.step === 'withdraw';
      if (!isPublished || !waits.isProven) return false;
      const { dnskeyExpiresAt: keys, allExpiresAt: everything } = waits;
      const provenUntil = { keys, everything, nothing: now }[waitBehind(rollover)];
      await this.context.rollovers.update(tx, { ...rollover, provenUntil });
      return false;
    }
    if (!isOver(rollover, now) || !(await this.stages.isPrepared(tx, row, rollover))) return false;
    const next = await this.stages.stepAfter(tx, rollover);
    if (next === null) await this.end(tx, rollover, now);
    else await this.enter({ tx, row }, rollover, next, now);
    return next !== null;
  }

  async nextCheckAt(tx: Transaction, zoneId: string, now: Instant): Promise<Instant | null> {
    const rollover = await this.context.rollovers.find(tx, zoneId);
    if (rollover === null) return null;
    const until = Math.max(rollover.provenUntil ?? 0, rollover.dsUntil ?? 0);
    return Math.max(until, backoff(rollover.stepSince, now));
  }

  private async enter(of: LockedRow, before: ZoneRolloverEntity, step: RolloverStep, now: Instant): Promise<void> {
    const rollover = {
      ...before,
      ...stepBegun(step, of.row, now),
      // A leaving signer: the wait for its delegation began with the rollover.
      ...(before.step === 'prepare' && { dsUntil: before.dsUntil }),
    };
    await this.context.rollovers.update(of.tx, rollover);
    await this.applyStep(of, rollover, await this.stages.keysOf(of.tx, rollover));
  }

  private async applyStep({ tx, row }: LockedRow, rollover: ZoneRolloverEntity, keys: RolloverKeys): Promise<void> {
    const { old, successors } = keys;
    for (const key of old) await this.context.keys.update(tx, { ...key, ...usageOfOld(rollover, key.role) });
    for (const key of successors) await this.context.keys.update(tx, { ...key, ...usageOfNew(rollover, key.role) });
    if (changesSigners(rollover)) await this.oldSignatures.makeFirstDue(tx, row);
  }

  private async end(tx: Transaction, rollover: ZoneRolloverEntity, now: Instant): Promise<void> {
    const { old, successors } = await this.stages.keysOf(tx, rollover);
    for (const key of old) await this.context.keys.update(tx, retired(key, now));
    const isOfOwnKeys = rollover.kind !== 'join' && rollover.kind !== 'leave';
    if (isOfOwnKeys) await this.context.signing.setAlgorithm(tx, rollover.zoneId, anchorKey(successors).algorithm);
    await this.context.rollovers.delete(tx, rollover.zoneId);
    await this.context.signing.leaveKeyTtl(tx, rollover.zoneId);
  }
}

function assertRollable(
  { name }: Readonly<ZoneEntity>,
  row: ZoneSigningEntity,
  { kind, algorithm }: { readonly kind: RolloverKind; readonly algorithm: number },
  old: readonly ZoneKeyEntity[],
): void {
  if (old.length === 0) throw new ServiceError('signing_conflict', `${name} has no ${kind}.`);
  if (kind === 'algorithm' && row.keyTtl !== null)
    throw new ServiceError(
      'signing_conflict',
      `The KSK of ${name} is offline: roll the ksk to one of this service first.`,
    );
  if (kind === 'algorithm' && algorithm === row.algorithm)
    throw new ServiceError(
      'signing_conflict',
      `The keys of ${name} are of ${signingAlgorithm(algorithm).mnemonic} already: roll one of them, or name another algorithm.`,
    );
}

/** The key that the DS refers to, or the only key. */
function anchorKey(keys: readonly ZoneKeyEntity[]): ZoneKeyEntity {
  const entry = keys.find(({ role }) => role !== 'zsk') ?? keys[0];
  if (entry === undefined) throw new Error('a rollover without keys');
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
