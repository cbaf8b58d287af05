import { createHmac } from 'node:crypto';
import { DomainName } from '../../name.js';

/** The algorithms that are served: those that RFC 8945 §6 recommends, and hmac-sha384. */
export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

/** A secret that two servers share (RFC 8945 §2). */
export interface TsigKey {
  readonly name: DomainName;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** A source of the present time, in seconds since 1970. */
export type UnixClock = () => number;

/** The keys that a server knows. Their names, and those of algorithms, are compared without case. */
export class TsigKeys {
  private readonly keys: ReadonlyMap<string, TsigKey>;

  constructor(keys: Iterable<TsigKey>) {
    this.keys = new Map([...keys].map((key) => [idOf(key.name, algorithmName(key.algorithm)), key]));
  }

  find(name: DomainName, algorithm: DomainName): TsigKey | undefined {
    return this.keys.get(idOf(name, algorithm));
  }
}

/** The algorithm's name as messages have it (RFC 8945 §6). */
export function algorithmName(algorithm: TsigAlgorithm): DomainName {
  return NAMES[algorithm];
}

/** How many octets a whole MAC has. */
export function macLength(algorithm: TsigAlgorithm): number {
  return MAC_LENGTHS[algorithm];
}

/** The MAC of the parts, one after the other. */
export function macOf({ algorithm, secret }: TsigKey, parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac(HASHES[algorithm], secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
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
