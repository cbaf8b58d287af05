import { hash, randomInt, timingSafeEqual } from 'node:crypto';

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 8;

/** Eight letters and digits that nobody can guess: 41 bits of them. */
export function newOwnershipKey(): string {
  return Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}

/** Takes as long for every key of a length, so that nobody learns how much of one is right. */
export function isSameKey(key: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', key, 'buffer'), hash('sha256', other, 'buffer'));
}
