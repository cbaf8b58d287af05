import { createHmac } from 'node:crypto';
import { DomainName } from '../../name.js';

/** Those that RFC 8945 §6 recommends, and hmac-sha384. */
export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

/** RFC 8945 §2. */
export interface TsigKey {
  readonly name: DomainName;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** Seconds since 1970. */
export type UnixClock = () => number;

/** Names of keys and algorithms ignore case. */
export class TsigKeys {
  private readonly keys: ReadonlyMap<string, TsigKey>;

  constructor(keys: Iterable<TsigKey>) {
    this.keys = new Map([...keys].map((key) => [idOf(key.name, algorithmName(key.algorithm)), key]));
  }

  find(name: DomainName, algorithm: DomainName): TsigKey | undefined {
    return this.keys.get(idOf(name, algorithm));
  }
}

/** RFC 8945 §6. */
export function algorithmName(algorithm: TsigAlgorithm): DomainName {
  return NAMES[algorithm];
}

/** Octets. */
export function macLength(algorithm: TsigAlgorithm): number {
  return MAC_LENGTHS[algorithm];
}

export function macOf({ algorithm, secret }: TsigKey, parts: readonly Uint8Array[]): Buffer {
  const hmac = startMac({ algorithm, secret });
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** `Hmac` of Node is deprecated as a class. */
export type RunningMac = ReturnType<typeof createHmac>;

/** For parts that arrive one after another. */
export function startMac({ algorithm, secret }: Omit<TsigKey, 'name'>): RunningMac {
  return createHmac(HASHES[algorithm], secret);
}

const NAMES = {
  'hmac-sha256': DomainName.parse('hmac-sha256.'),
  'hmac-sha384': DomainName.parse('hmac-sha384.'),
  'hmac-sha512': DomainName.parse('hmac-sha512.'),
} satisfies Record<TsigAlgorithm, DomainName>;

const HASHES = {
  'hmac-sha256': 'sha256',
  'hmac-sha384': 'sha384',
  'hmac-sha512': 'sha512',
} satisfies Record<TsigAlgorithm, string>;

const MAC_LENGTHS = { 'hmac-sha256': 32, 'hmac-sha384': 48, 'hmac-sha512': 64 } satisfies Record<TsigAlgorithm, number>;

function idOf(name: DomainName, algorithm: DomainName): string {
  return `${name.key}/${algorithm.key}`;
}

/** Labels of letters, digits, `-` and `_` with an optional final dot. */
const KEY_NAME = /^(?=.{1,253}\.?$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Octets. Shorter secrets can be guessed (RFC 8945 §5.2). */
export const SHORTEST_SECRET = 16;
/** Octets. HMAC hashes longer secrets (RFC 2104 §3). */
export const LONGEST_SECRET = 128;

/** Returns lower case with a final dot, or `null` if invalid. */
export function readKeyName(text: string): string | null {
  return KEY_NAME.test(text) ? `${text.toLowerCase().replace(/\.$/, '')}.` : null;
}

export function readAlgorithm(text: string): TsigAlgorithm | null {
  return TSIG_ALGORITHMS.find((known) => known === text.toLowerCase()) ?? null;
}

/** `null` for invalid base64 or a short secret. */
export function readSecret(base64: string): Buffer | null {
  if (!BASE64.test(base64)) return null;
  const octets = Buffer.from(base64, 'base64');
  return octets.length >= SHORTEST_SECRET ? octets : null;
}
