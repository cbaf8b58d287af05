import { type KeyUsage, usageOf, UNUSED, type KeyRole } from '../keys/zone-key.entity.js';
import type { RolloverKind, RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';

type Plan = Pick<ZoneRolloverEntity, 'kind' | 'step' | 'isEmergency'>;

/** RFC 6781 §4.1.1.1, §4.1.2, §4.1.3. */
const OF_ONE_KEY: readonly RolloverStep[] = ['publish', 'swap', 'remove'];
/** RFC 6781 §4.1.4, conservative: while caches have a key, all cached data has signatures of its algorithm. */
const OF_ALGORITHM: readonly RolloverStep[] = ['sign', 'publish', 'swap', 'remove', 'unsign'];

export function firstStep(kind: RolloverKind): RolloverStep {
  return kind === 'algorithm' ? 'sign' : 'publish';
}

export function stepAfter({ kind, step }: Pick<Plan, 'kind' | 'step'>): RolloverStep | null {
  const steps = kind === 'algorithm' ? OF_ALGORITHM : OF_ONE_KEY;
  return steps[steps.indexOf(step) + 1] ?? null;
}

/** Whether the rollover can be canceled: CDS does not ask for the new DS yet. */
export function isStoppable({ step }: Pick<Plan, 'step'>): boolean {
  return step === 'sign' || step === 'publish';
}

export function awaitsDs({ kind, step }: Pick<Plan, 'kind' | 'step'>): boolean {
  return step === 'swap' && kind !== 'zsk';
}

/** Whether other keys sign the zone than in the step before. */
export function changesSigners({ kind, step }: Pick<Plan, 'kind' | 'step'>): boolean {
  return kind === 'algorithm' ? step === 'sign' || step === 'unsign' : step === 'swap' && kind !== 'ksk';
}

/** The cached data that must expire once every name server has the changes of a step. */
export type CacheWait = 'keys' | 'everything' | 'nothing';

export function waitBehind(plan: Plan): CacheWait {
  const { kind, step, isEmergency } = plan;
  if (step === 'unsign' || (kind === 'algorithm' && step === 'swap')) return 'nothing';
  if (!changesSigners(plan)) return 'keys';
  // A compromised key does more harm than cached signatures that no longer validate.
  return isEmergency === 1 ? 'nothing' : 'everything';
}

export function usageOfNew({ kind, step, isEmergency }: Plan, role: KeyRole): KeyUsage {
  const all = usageOf(role);
  if (step === 'sign') return { ...UNUSED, signsZone: all.signsZone };
  if (step !== 'publish') return all;
  // An emergency asks for the new DS next to the old one, to shorten the rollover.
  const isInCds = isEmergency === 1 ? all.isInCds : 0;
  return { ...all, isInCds, ...(kind !== 'algorithm' && { signsZone: 0 }) };
}

export function usageOfOld({ kind, step }: Plan, role: KeyRole): KeyUsage {
  const all = usageOf(role);
  if (step === 'sign' || step === 'publish') return all;
  const signsZone = kind === 'algorithm' ? all.signsZone : 0;
  if (step === 'swap') return { ...all, signsZone, isInCds: 0 };
  return step === 'remove' ? { ...UNUSED, signsZone } : UNUSED;
}
