import { isUtf8 } from 'node:buffer';
import { isText } from '../common/text.js';

const MAX_LENGTH = 255;

/** Any tenant string up to 255 characters is accepted (behaviour 8.2), as long as it names somebody. */
export function isTenantId(text: string): boolean {
  return text.length <= MAX_LENGTH && text.trim() !== '' && isText(text);
}

/** The tenant that a header names, `null` for none. Node reads headers as Latin-1; names travel as UTF-8. */
export function readTenantId(header: string): string | null {
  const octets = Buffer.from(header, 'latin1');
  const text = octets.toString('utf8');
  return isUtf8(octets) && isTenantId(text) ? text : null;
}
