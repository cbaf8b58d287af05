import { isUtf8 } from 'node:buffer';
import { isText } from '../common/text.js';

const MAX_LENGTH = 255;

/** In place of a tenant where a request is about none; nothing can belong to it. */
export const NO_TENANT = '';

/** Whether a text may be a tenant id: 1 to 255 characters, not blanks alone (behaviour 8.2). */
export function isTenantId(text: string): boolean {
  return text.length <= MAX_LENGTH && text.trim() !== '' && isText(text);
}

/** Reads a tenant id from a header, `null` when it is not one. It is sent in UTF-8; Node reads headers as Latin-1. */
export function readTenantId(header: string): string | null {
  const octets = Buffer.from(header, 'latin1');
  const text = octets.toString('utf8');
  return isUtf8(octets) && isTenantId(text) ? text : null;
}
