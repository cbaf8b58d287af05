import type { KeyRole, ZoneKeyEntity } from './zone-key.entity.js';

/** What a key is for. */
export type KeyDuties = Pick<ZoneKeyEntity, 'isPublished' | 'signsKeys' | 'signsZone' | 'isInCds'>;

export const NO_DUTIES: KeyDuties = { isPublished: 0, signsKeys: 0, signsZone: 0, isInCds: 0 };

/** What a key of that role is for, as long as no rollover is under way. */
export function dutiesOf(role: KeyRole): KeyDuties {
  const isEntry = role === 'zsk' ? 0 : 1;
  return { isPublished: 1, signsKeys: isEntry, signsZone: role === 'ksk' ? 0 : 1, isInCds: isEntry };
}
