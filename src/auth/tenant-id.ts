import { isUtf8 } from 'node:buffer';
import { isText } from '../common/json.js';

const MAX_LENGTH = 255;

/** Tenant of a request about no tenant. Owns nothing. */
export const NO_TENANT = '';

/** 1 to 255 characters, not only blanks (behaviour 8.2). */
export function isTenantId(text: string): boolean {
  return text.length <= MAX_LENGTH && text.trim() !== '' && isText(text);
}

/** Returns `null` if invalid. Clients send UTF-8, but Node.js reads headers as Latin-1. */
export function readTenantId(header: string): string | null {
  const octets = Buffer.from(header, 'latin1');
  const text = octets.toString('utf8');
  return isUtf8(octets) && isTenantId(text) ? text : null;
}
