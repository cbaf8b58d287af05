import { TSIG_ALGORITHMS, type TsigAlgorithm } from './tsig-key.js';

/** Labels of letters, digits, `-` and `_`, compared without case; a final dot may be written. */
const KEY_NAME = /^(?=.{1,253}\.?$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** RFC 8945 §5.2 asks for no less than the hash; shorter ones can be guessed. In octets. */
export const SHORTEST_SECRET = 16;
/** A longer one is hashed by HMAC itself (RFC 2104 §3). In octets. */
export const LONGEST_SECRET = 128;

/** The name of a key in lower case with a final dot, so that two spellings are one name; `null` for what is none. */
export function readKeyName(text: string): string | null {
  return KEY_NAME.test(text) ? `${text.toLowerCase().replace(/\.$/, '')}.` : null;
}

/** `null` for an algorithm that is not served. */
export function readAlgorithm(text: string): TsigAlgorithm | null {
  return TSIG_ALGORITHMS.find((known) => known === text.toLowerCase()) ?? null;
}

/** The octets of a secret in base64; `null` for what is none, or too short to be one. */
export function readSecret(base64: string): Buffer | null {
  if (!BASE64.test(base64)) return null;
  const octets = Buffer.from(base64, 'base64');
  return octets.length >= SHORTEST_SECRET ? octets : null;
}
