import type { KeyRole, ZoneKeyEntity } from './zone-key.entity.js';

/** What a key is for. */
export type KeyUsage = Pick<ZoneKeyEntity, 'isPublished' | 'signsKeys' | 'signsZone' | 'isInCds'>;

export const UNUSED: KeyUsage = { isPublished: 0, signsKeys: 0, signsZone: 0, isInCds: 0 };

/** What a key of that role is for, as long as no rollover is under way. */
export function usageOf(role: KeyRole): KeyUsage {
  const isEntry = role === 'zsk' ? 0 : 1;
  return { isPublished: 1, signsKeys: isEntry, signsZone: role === 'ksk' ? 0 : 1, isInCds: isEntry };
}
