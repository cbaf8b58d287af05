import { type KeyUsage, usageOf, UNUSED } from '../keys/key-usage.js';
import type { KeyRole } from '../keys/zone-key.entity.js';
import type { RolloverKind, RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';

/** Which steps lead from the old keys to the new ones, and what keys do in each. */

type Plan = Pick<ZoneRolloverEntity, 'kind' | 'step' | 'isEmergency'>;

/** RFC 6781 §4.1.1.1, §4.1.2, §4.1.3. */
const OF_ONE_KEY: readonly RolloverStep[] = ['publish', 'swap', 'remove'];
/**
 * RFC 6781 §4.1.4, the conservative way: where caches have a key of an algorithm, all that they have is signed with that
 * algorithm.
 */
const OF_ALGORITHM: readonly RolloverStep[] = ['sign', 'publish', 'swap', 'remove', 'unsign'];

function stepsOf(kind: RolloverKind): readonly RolloverStep[] {
  return kind === 'algorithm' ? OF_ALGORITHM : OF_ONE_KEY;
}

export function firstStep(kind: RolloverKind): RolloverStep {
  return kind === 'algorithm' ? 'sign' : 'publish';
}

/** `null`: it is over. */
export function stepAfter({ kind, step }: Pick<Plan, 'kind' | 'step'>): RolloverStep | null {
  const steps = stepsOf(kind);
  return steps[steps.indexOf(step) + 1] ?? null;
}

/** Whether nothing has asked the parent zone for another DS yet: from then on only the way ahead is safe. */
export function isStoppable({ step }: Pick<Plan, 'step'>): boolean {
  return step === 'sign' || step === 'publish';
}

/** Whether the step is over only when the parent zone has the DS of the new key. */
export function awaitsDs({ kind, step }: Pick<Plan, 'kind' | 'step'>): boolean {
  return step === 'swap' && kind !== 'zsk';
}

/** Whether the zone itself is signed with other keys in this step than in the one before. */
export function changesSigners({ kind, step }: Pick<Plan, 'kind' | 'step'>): boolean {
  return kind === 'algorithm' ? step === 'sign' || step === 'unsign' : step === 'swap' && kind !== 'ksk';
}

/** What is waited for when every name server has what a step changes. */
export type CacheWait = 'keys' | 'everything' | 'nothing';

export function waitBehind(plan: Plan): CacheWait {
  const { kind, step, isEmergency } = plan;
  if (step === 'unsign' || (kind === 'algorithm' && step === 'swap')) return 'nothing';
  if (!changesSigners(plan)) return 'keys';
  // A key that others may have does more harm than its signatures on answers that are in caches.
  return isEmergency === 1 ? 'nothing' : 'everything';
}

/** What a key that is new does in a step. */
export function usageOfNew({ kind, step, isEmergency }: Plan, role: KeyRole): KeyUsage {
  const all = usageOf(role);
  if (step === 'sign') return { ...UNUSED, signsZone: all.signsZone };
  if (step !== 'publish') return all;
  // Whoever asks for a DS early has it beside the old one, which goes all the sooner.
  const isInCds = isEmergency === 1 ? all.isInCds : 0;
  return { ...all, isInCds, ...(kind !== 'algorithm' && { signsZone: 0 }) };
}

/** What a key that is to go does in a step. */
export function usageOfOld({ kind, step }: Plan, role: KeyRole): KeyUsage {
  const all = usageOf(role);
  if (step === 'sign' || step === 'publish') return all;
  const signsZone = kind === 'algorithm' ? all.signsZone : 0;
  if (step === 'swap') return { ...all, signsZone, isInCds: 0 };
  return step === 'remove' ? { ...UNUSED, signsZone } : UNUSED;
}
