import { type KeyUsage, usageOf, usageOfForeign, UNUSED, type KeyRole } from '../keys/zone-key.entity.js';
import type { RolloverKind, RolloverStep, ZoneRolloverEntity } from './zone-rollover.entity.js';

type Plan = Pick<ZoneRolloverEntity, 'kind' | 'step' | 'isEmergency'>;

/** RFC 6781 §4.1.1.1, §4.1.2, §4.1.3. */
const OF_ONE_KEY: readonly [RolloverStep, ...RolloverStep[]] = ['publish', 'swap', 'remove'];
/** RFC 6781 §4.1.4, conservative: while caches have a key, all cached data has signatures of its algorithm. */
const OF_ALGORITHM: readonly [RolloverStep, ...RolloverStep[]] = ['sign', 'publish', 'swap', 'remove', 'unsign'];

const STEPS: Readonly<Record<RolloverKind, readonly [RolloverStep, ...RolloverStep[]]>> = {
  csk: OF_ONE_KEY,
  ksk: OF_ONE_KEY,
  zsk: OF_ONE_KEY,
  algorithm: OF_ALGORITHM,
  // RFC 8901 §6: a signer needs the keys of all others in its DNSKEY set before resolvers ask the other's name servers.
  join: ['publish', 'swap'],
  leave: ['withdraw', 'swap', 'remove'],
};

/** @param isOffline whether a KSK of the zone is offline */
export function firstStep(kind: RolloverKind, isOffline: boolean): RolloverStep {
  return isOffline ? 'prepare' : STEPS[kind][0];
}

export function stepAfter({ kind, step }: Pick<Plan, 'kind' | 'step'>): RolloverStep | null {
  // `prepare` is in no list: the first step follows.
  return STEPS[kind][STEPS[kind].indexOf(step) + 1] ?? null;
}

/** Whether the rollover can be canceled: CDS does not ask for the new DS yet. */
export function isStoppable({ step }: Pick<Plan, 'step'>): boolean {
  return step === 'prepare' || step === 'sign' || step === 'publish' || step === 'withdraw';
}

export function awaitsDs({ kind, step }: Pick<Plan, 'kind' | 'step'>): boolean {
  return step === 'swap' && kind !== 'zsk';
}

/** Whether other keys sign the zone than in the step before. */
export function changesSigners({ kind, step }: Pick<Plan, 'kind' | 'step'>): boolean {
  if (kind === 'algorithm') return step === 'sign' || step === 'unsign';
  return step === 'swap' && (kind === 'csk' || kind === 'zsk');
}

/** The cached data that must expire once every name server has the changes of a step. */
export type CacheWait = 'keys' | 'everything' | 'nothing';

export function waitBehind(plan: Plan): CacheWait {
  const { kind, step, isEmergency } = plan;
  if (step === 'unsign' || (kind === 'algorithm' && step === 'swap')) return 'nothing';
  if (step === 'withdraw') return 'everything';
  if (!changesSigners(plan)) return 'keys';
  // A compromised key does more harm than cached signatures that no longer validate.
  return isEmergency === 1 ? 'nothing' : 'everything';
}

export function usageOfNew({ kind, step, isEmergency }: Plan, role: KeyRole): KeyUsage {
  if (step === 'prepare') return UNUSED;
  if (kind === 'join') return usageOfForeign(role, step === 'swap');
  const all = usageOf(role);
  if (step === 'sign') return { ...UNUSED, signsZone: all.signsZone };
  if (step !== 'publish') return all;
  // An emergency asks for the new DS next to the old one, to shorten the rollover.
  const isInCds = isEmergency === 1 ? all.isInCds : 0;
  return { ...all, isInCds, ...(kind !== 'algorithm' && { signsZone: 0 }) };
}

export function usageOfOld({ kind, step }: Plan, role: KeyRole): KeyUsage {
  if (kind === 'leave') return step === 'remove' ? UNUSED : usageOfForeign(role, step !== 'swap');
  const all = usageOf(role);
  if (step === 'prepare' || step === 'sign' || step === 'publish') return all;
  const signsZone = kind === 'algorithm' ? all.signsZone : 0;
  if (step === 'swap') return { ...all, signsZone, isInCds: 0 };
  return step === 'remove' ? { ...UNUSED, signsZone } : UNUSED;
}
