import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { SigningContext } from '../signing-context.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { awaitsDs, isStoppable, stepAfter, usageOfNew, usageOfOld } from './rollover-plan.js';
import type { RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';

export interface RolloverKeys {
  readonly old: readonly ZoneKeyEntity[];
  readonly successors: readonly ZoneKeyEntity[];
}

/** The keys of a zone in each step of its rollover. */
@Injectable()
export class RolloverStages {
  constructor(private readonly context: SigningContext) {}

  /** Whether the offline KSK has signed the keys of the next step. */
  async isPrepared(tx: Transaction, row: ZoneSigningEntity, rollover: ZoneRolloverEntity): Promise<boolean> {
    const step = await this.stepAfter(tx, rollover);
    return step === null || this.context.responses.cover(tx, row, await this.keysIn(tx, { ...rollover, step }));
  }

  /** Whether a zone waits for a signed key response. */
  async awaitsResponse(
    tx: Transaction,
    row: ZoneSigningEntity,
    rollover: ZoneRolloverEntity | null,
    now: Instant,
  ): Promise<boolean> {
    if (row.keyTtl === null) return false;
    if (rollover === null) return row.state === 'signing' && !(await this.context.hasFirstResponse(tx, row));
    return isOver(rollover, now) && !(await this.isPrepared(tx, row, rollover));
  }

  /** The keys of a zone now, and in each later step of its rollover. A rollover that can be stopped may go back. */
  async of(tx: Transaction, zoneId: string): Promise<ZoneKeyEntity[][]> {
    const rollover = await this.context.rollovers.find(tx, zoneId);
    if (rollover === null) return [presentKeys(await this.context.keys.ofZone(tx, zoneId))];
    const steps = new Set<RolloverStep>(isStoppable(rollover) ? ['prepare'] : []);
    for (
      let at: RolloverStep | null = rollover.step;
      at !== null;
      at = await this.stepAfter(tx, { ...rollover, step: at })
    )
      steps.add(at);
    const stages: ZoneKeyEntity[][] = [];
    for (const step of steps) stages.push(await this.keysIn(tx, { ...rollover, step }));
    return stages;
  }

  /** A signer without a KSK of its own changes no DS. */
  async stepAfter(tx: Transaction, rollover: ZoneRolloverEntity): Promise<RolloverStep | null> {
    const next = stepAfter(rollover);
    if (next !== 'swap' || (rollover.kind !== 'join' && rollover.kind !== 'leave')) return next;
    const { old, successors } = await this.keysOf(tx, rollover);
    const hasKsk = [...old, ...successors].some(({ role }) => role === 'ksk');
    return hasKsk ? next : stepAfter({ ...rollover, step: next });
  }

  private async keysIn(tx: Transaction, rollover: ZoneRolloverEntity): Promise<ZoneKeyEntity[]> {
    const { old, successors } = await this.keysOf(tx, rollover);
    const changed = new Map(
      [
        ...old.map((key) => ({ ...key, ...usageOfOld(rollover, key.role) })),
        ...successors.map((key) => ({ ...key, ...usageOfNew(rollover, key.role) })),
      ].map((key) => [key.id, key]),
    );
    return presentKeys(await this.context.keys.ofZone(tx, rollover.zoneId)).map((key) => changed.get(key.id) ?? key);
  }

  async keysOf(tx: Transaction, rollover: ZoneRolloverEntity): Promise<RolloverKeys> {
    const { zoneId, kind, oldKeyId, newKeyId } = rollover;
    const keys = presentKeys(await this.context.keys.ofZone(tx, zoneId));
    const successors = keys.find(({ id }) => id === newKeyId);
    const old = keys.find(({ id }) => id === oldKeyId);
    if (successors === undefined || old === undefined)
      throw new Error(`zone ${zoneId}: the keys of its rollover are missing`);
    if (kind === 'join') return { old: [], successors: keys.filter(({ signer }) => signer === successors.signer) };
    if (kind === 'leave') return { old: keys.filter(({ signer }) => signer === old.signer), successors: [] };
    if (kind !== 'algorithm') return { old: [old], successors: [successors] };
    const of = ({ algorithm }: ZoneKeyEntity): ZoneKeyEntity[] => keys.filter((key) => key.algorithm === algorithm);
    return { old: of(old), successors: of(successors) };
  }
}

/** Whether what a step waits for has come, apart from a signed key response. */
export function isOver(rollover: ZoneRolloverEntity, now: Instant): boolean {
  if (rollover.step === 'prepare') return true;
  const isDsOver = rollover.dsUntil === null ? !awaitsDs(rollover) : rollover.dsUntil <= now;
  return rollover.provenUntil !== null && rollover.provenUntil <= now && isDsOver;
}

export function presentKeys(keys: readonly ZoneKeyEntity[]): ZoneKeyEntity[] {
  return keys.filter(({ retiredAt }) => retiredAt === null);
}
