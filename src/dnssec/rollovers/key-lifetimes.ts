import { type Instant, SECOND } from '../../common/clock.js';
import type { KeyRole, ZoneKeyEntity } from '../keys/zone-key.entity.js';
import type { ZoneRolloverEntity } from './zone-rollover.entity.js';

/** In seconds; `null`: keys of that role are rolled on request only. */
export type KeyLifetimes = Readonly<Record<KeyRole, number | null>>;

/** When the scheduled rollover of a key is due; `null`: no schedule, or another key replaces it already. */
export function rolloverAt(
  { id, role, signer, createdAt }: Pick<ZoneKeyEntity, 'id' | 'role' | 'signer' | 'createdAt'>,
  lifetimes: KeyLifetimes,
  rollover: Pick<ZoneRolloverEntity, 'oldKeyId'> | null,
): Instant | null {
  const lifetime = lifetimes[role];
  return lifetime === null || signer !== null || rollover?.oldKeyId === id ? null : createdAt + lifetime * SECOND;
}
