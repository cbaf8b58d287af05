import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { KeyRole, ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { ZoneKeys } from '../keys/zone-keys.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import type { RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';
import { lookAgain } from './look-again.js';
import { ZoneRolloverRepository } from './zone-rollover.repository.js';

const SECOND: Instant = 1_000_000;

/** What a step waits for beside the proof that every name server has it. */
export interface Waits {
  /** Whether every name server has been seen to have what is published now. */
  readonly isProven: boolean;
  /** Of the DNSKEY set, in seconds. */
  readonly keyTtl: number;
  /** The longest of the zone, in seconds. */
  readonly longestTtl: number;
}

/**
 * Lets one key take the place of another, so that there is always a chain of which every part is in all caches: a step begins
 * when what the one before has changed is on all name servers, and caches have forgotten what was there before.
 */
@Injectable()
export class Rollovers {
  constructor(
    private readonly rollovers: ZoneRolloverRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly sets: SignedSetRepository,
  ) {}

  /** @throws ServiceError `signing_conflict` where there is no such key, or another rollover is under way */
  async begin(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    kind: KeyRole,
    now: Instant,
    spare: KeyObject[],
  ): Promise<ZoneRolloverEntity> {
    if (row.state !== 'ready' && row.state !== 'secure')
      throw new ServiceError('signing_conflict', `The keys of ${zone.name} can be rolled when it is ready or secure.`);
    await this.assertNone(tx, zone);
    const all = await this.keyRows.ofZone(tx, zone.id);
    const old = all.find((key) => key.role === kind && key.retiredAt === null);
    if (old === undefined) throw new ServiceError('signing_conflict', `${zone.name} has no ${kind}.`);
    const made = await this.keys.make(zone, kind, old.algorithm, all, now, spare);
    // It signs the keys from the beginning, so that a DS may name it; nothing else before its DNSKEY is everywhere.
    await this.keyRows.insert(tx, [{ ...made, signsZone: 0, isInCds: 0 }]);
    const rollover: ZoneRolloverEntity = {
      ...{ zoneId: zone.id, id: timeOrderedUuid(now), kind, oldKeyId: old.id, newKeyId: made.id },
      ...stepBegun('publish', row, now),
    };
    await this.rollovers.insert(tx, rollover);
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

  /** @throws ServiceError `signing_conflict` where it has come too far */
  async cancel(tx: Transaction, zone: Readonly<ZoneEntity>, id: string, now: Instant): Promise<void> {
    const rollover = await this.rollovers.find(tx, zone.id);
    if (rollover?.id !== id) throw new ServiceError('signing_conflict', `${zone.name} has no such rollover.`);
    if (rollover.step !== 'publish')
      throw new ServiceError('signing_conflict', 'The new key signs already: the rollover cannot be stopped any more.');
    const made = await this.keyOf(tx, zone.id, rollover.newKeyId);
    await this.keyRows.update(tx, retired(made, now));
    await this.rollovers.delete(tx, zone.id);
  }

  /** The parent zone has the DS of the new key, and not that of the old one. */
  async noteDs(tx: Transaction, zoneId: string, dsUntil: Instant): Promise<void> {
    const rollover = await this.rollovers.find(tx, zoneId);
    if (rollover?.step !== 'swap' || rollover.kind === 'zsk' || rollover.dsUntil !== null) return;
    await this.rollovers.update(tx, { ...rollover, dsUntil });
  }

  /** Looks whether what a step waits for has come, and begins the next one. Returns whether keys are others now. */
  async advance(tx: Transaction, row: ZoneSigningEntity, waits: Waits, now: Instant): Promise<boolean> {
    const rollover = await this.rollovers.find(tx, row.zoneId);
    if (rollover === null) return false;
    if (rollover.provenUntil === null) {
      const isPublished = row.step > rollover.publicationBefore && waits.isProven;
      if (!isPublished || (await this.isOldInUse(tx, row, rollover))) return false;
      const wait = rollover.step === 'swap' && rollover.kind !== 'ksk' ? waits.longestTtl : waits.keyTtl;
      await this.rollovers.update(tx, { ...rollover, provenUntil: now + wait * SECOND });
      return false;
    }
    const needsDs = rollover.step === 'swap' && rollover.kind !== 'zsk';
    const isOver = rollover.provenUntil <= now && (!needsDs || (rollover.dsUntil !== null && rollover.dsUntil <= now));
    if (!isOver) return false;
    await this.beginNext(tx, row, rollover, now);
    return rollover.step !== 'remove';
  }

  /** When something is to be looked at that no change tells of; `null` where nothing is under way. */
  async nextLook(tx: Transaction, zoneId: string, now: Instant): Promise<Instant | null> {
    const rollover = await this.rollovers.find(tx, zoneId);
    if (rollover === null) return null;
    const until = Math.max(rollover.provenUntil ?? 0, rollover.dsUntil ?? 0);
    return Math.max(until, lookAgain(rollover.stepSince, now));
  }

  private async beginNext(
    tx: Transaction,
    row: ZoneSigningEntity,
    rollover: ZoneRolloverEntity,
    now: Instant,
  ): Promise<void> {
    const { zoneId, kind } = rollover;
    if (rollover.step === 'remove') return this.rollovers.delete(tx, zoneId);
    const [old, made] = [
      await this.keyOf(tx, zoneId, rollover.oldKeyId),
      await this.keyOf(tx, zoneId, rollover.newKeyId),
    ];
    if (rollover.step === 'swap') {
      await this.keyRows.update(tx, retired(old, now));
      return this.rollovers.update(tx, { ...rollover, ...stepBegun('remove', row, now) });
    }
    const signsZone = kind === 'ksk' ? 0 : 1;
    const isInCds = kind === 'zsk' ? 0 : 1;
    await this.keyRows.update(tx, { ...old, signsZone: 0, isInCds: 0 });
    await this.keyRows.update(tx, { ...made, signsZone, isInCds });
    if (signsZone === 1) await this.sets.makeDue(tx, row);
    return this.rollovers.update(tx, { ...rollover, ...stepBegun('swap', row, now) });
  }

  /** Whether there is anything that is not signed by the new key; all of it has been made due. */
  private async isOldInUse(
    tx: Transaction,
    row: ZoneSigningEntity,
    { step, kind, newKeyId }: ZoneRolloverEntity,
  ): Promise<boolean> {
    if (step !== 'swap' || kind === 'ksk') return false;
    if ((await this.sets.firstDue(tx, row)) === 0) return true;
    const { tag } = await this.keyOf(tx, row.zoneId, newKeyId);
    return this.sets.isSignedByOthers(tx, row, tag);
  }

  private async keyOf(tx: Transaction, zoneId: string, id: string): Promise<ZoneKeyEntity> {
    const key = (await this.keyRows.ofZone(tx, zoneId)).find((one) => one.id === id);
    if (key === undefined) throw new Error(`the zone ${zoneId} has lost its key ${id}`);
    return key;
  }
}

function stepBegun(
  step: RolloverStep,
  row: ZoneSigningEntity,
  now: Instant,
): Pick<ZoneRolloverEntity, 'step' | 'stepSince' | 'publicationBefore' | 'provenUntil' | 'dsUntil'> {
  return { step, stepSince: now, publicationBefore: row.step, provenUntil: null, dsUntil: null };
}

function retired(key: ZoneKeyEntity, now: Instant): ZoneKeyEntity {
  return { ...key, isPublished: 0, signsKeys: 0, signsZone: 0, isInCds: 0, retiredAt: now };
}
