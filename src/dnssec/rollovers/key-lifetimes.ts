import { type Instant, SECOND } from '../../common/clock.js';
import type { KeyRole, ZoneKeyEntity } from '../keys/zone-key.entity.js';
import type { ZoneRolloverEntity } from './zone-rollover.entity.js';

/** In seconds; `null`: keys of that role are rolled on request only. */
export type KeyLifetimes = Readonly<Record<KeyRole, number | null>>;

/** When a key reaches its lifetime; `null`: never. */
export function dueAt(
  { role, createdAt }: Pick<ZoneKeyEntity, 'role' | 'createdAt'>,
  lifetimes: KeyLifetimes,
): Instant | null {
  const lifetime = lifetimes[role];
  return lifetime === null ? null : createdAt + lifetime * SECOND;
}

/** When the scheduled rollover of a key is due; `null`: no schedule, no private key here, or another key replaces it already. */
export function rolloverAt(
  key: Pick<ZoneKeyEntity, 'id' | 'role' | 'sealed' | 'createdAt'>,
  lifetimes: KeyLifetimes,
  rollover: Pick<ZoneRolloverEntity, 'oldKeyId'> | null,
): Instant | null {
  return key.sealed === null || rollover?.oldKeyId === key.id ? null : dueAt(key, lifetimes);
}
