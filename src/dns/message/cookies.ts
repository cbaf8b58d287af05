import { timingSafeEqual } from 'node:crypto';

const CLIENT_OCTETS = 8;
/** RFC 7873 §4. */
const SERVER_OCTETS = { least: 8, most: 32 };
/** RFC 9018 §4: version, three reserved octets, a time, and a hash. */
const OUR_OCTETS = 16;
const VERSION = 1;
/** Seconds (RFC 9018 §4.3). */
const LIFETIME = 3600;
const CLOCK_DIFFERENCE = 300;

/** RFC 7873 §5.2.2. */
export function isCookie({ length }: Uint8Array): boolean {
  const server = length - CLIENT_OCTETS;
  return server === 0 || (server >= SERVER_OCTETS.least && server <= SERVER_OCTETS.most);
}

export interface CookieVerdict {
  /** Issued to this address within the last hour, so the address is not forged. */
  readonly isValid: boolean;
  readonly answer: Uint8Array;
}

/** DNS cookies (RFC 7873, RFC 9018). All processes with the same secret accept them. Keeps no state. */
export class ServerCookies {
  /** @param secret 16 octets @param previousSecret accepted for a while after a rollover (RFC 9018 §5) */
  constructor(
    private readonly secret: Uint8Array,
    private readonly previousSecret: Uint8Array | null = null,
  ) {}

  /** @param option checked by `readRequest()` @param address 4 or 16 octets @param now seconds since 1970 */
  judge(option: Uint8Array, address: Uint8Array, now: number): CookieVerdict {
    const client = option.subarray(0, CLIENT_OCTETS);
    const start = Buffer.from([...client, VERSION, 0, 0, 0, 0, 0, 0, 0]);
    start.writeUInt32BE(now >>> 0, CLIENT_OCTETS + 4);
    const answer = Buffer.concat([start, hashOf(start, address, this.secret)]);
    return { isValid: this.isOurs(option, address, now), answer };
  }

  private isOurs(option: Uint8Array, address: Uint8Array, now: number): boolean {
    if (option.length !== CLIENT_OCTETS + OUR_OCTETS || option[CLIENT_OCTETS] !== VERSION) return false;
    const start = Buffer.from(option.subarray(0, CLIENT_OCTETS + 8));
    // Compares 32-bit times like serial numbers (RFC 9018 §4.3).
    const age = (now - start.readUInt32BE(CLIENT_OCTETS + 4)) | 0;
    if (age > LIFETIME || age < -CLOCK_DIFFERENCE) return false;
    const hash = option.subarray(CLIENT_OCTETS + 8);
    return [this.secret, this.previousSecret].some(
      (secret) => secret !== null && timingSafeEqual(hashOf(start, address, secret), hash),
    );
  }
}

/** @param start client cookie, version, reserved octets and time (RFC 9018 §4.4) */
function hashOf(start: Uint8Array, address: Uint8Array, secret: Uint8Array): Buffer {
  return sipHash(secret, Buffer.concat([start, address]));
}

/** SipHash-2-4 (RFC 9018 §4.4), which Node.js lacks. 64-bit numbers are pairs of lower and upper half. */
export function sipHash(key: Uint8Array, data: Uint8Array): Buffer {
  const keyWords = wordsOf(key);
  const [k0l = 0, k0h = 0, k1l = 0, k1h = 0] = keyWords;
  const state = Uint32Array.of(
    k0l ^ 0x70736575,
    k0h ^ 0x736f6d65,
    k1l ^ 0x6e646f6d,
    k1h ^ 0x646f7261,
    k0l ^ 0x6e657261,
    k0h ^ 0x6c796765,
    k1l ^ 0x79746573,
    k1h ^ 0x74656462,
  );
  const words = wordsOf(padded(data));
  for (let at = 0; at < words.length; at += 2) absorb(state, words[at] ?? 0, words[at + 1] ?? 0);
  state[4] = (state[4] ?? 0) ^ 0xff;
  for (let round = 0; round < 4; round++) sipRound(state);
  return digestOf(state);
}

const [V0, V1, V2, V3] = [0, 2, 4, 6] as const;

/** Pads with zeros to whole words. The last octet is the length. */
function padded(data: Uint8Array): Uint8Array {
  const octets = new Uint8Array((data.length & ~7) + 8);
  octets.set(data);
  octets[octets.length - 1] = data.length;
  return octets;
}

/** Little-endian 32-bit words. */
function wordsOf(octets: Uint8Array): Uint32Array {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength);
  return Uint32Array.from({ length: octets.length >> 2 }, (_, at) => view.getUint32(4 * at, true));
}

function absorb(state: Uint32Array, low: number, high: number): void {
  xor(state, V3, low, high);
  sipRound(state);
  sipRound(state);
  xor(state, V0, low, high);
}

function sipRound(v: Uint32Array): void {
  add(v, V0, V1);
  rotateInto(v, V1, 13, V0);
  rotate(v, V0, 32);
  add(v, V2, V3);
  rotateInto(v, V3, 16, V2);
  add(v, V0, V3);
  rotateInto(v, V3, 21, V0);
  add(v, V2, V1);
  rotateInto(v, V1, 17, V2);
  rotate(v, V2, 32);
}

function add(v: Uint32Array, to: number, from: number): void {
  const low = (v[to] ?? 0) + (v[from] ?? 0);
  v[to + 1] = (v[to + 1] ?? 0) + (v[from + 1] ?? 0) + (low > 0xffffffff ? 1 : 0);
  v[to] = low;
}

function rotateInto(v: Uint32Array, at: number, bits: number, other: number): void {
  rotate(v, at, bits);
  xor(v, at, v[other] ?? 0, v[other + 1] ?? 0);
}

function rotate(v: Uint32Array, at: number, bits: number): void {
  const [low, high] = [v[at] ?? 0, v[at + 1] ?? 0];
  v[at] = bits === 32 ? high : (low << bits) | (high >>> (32 - bits));
  v[at + 1] = bits === 32 ? low : (high << bits) | (low >>> (32 - bits));
}

function xor(v: Uint32Array, at: number, low: number, high: number): void {
  v[at] = (v[at] ?? 0) ^ low;
  v[at + 1] = (v[at + 1] ?? 0) ^ high;
}

function digestOf(v: Uint32Array): Buffer {
  xor(v, V0, v[V1] ?? 0, v[V1 + 1] ?? 0);
  xor(v, V0, v[V2] ?? 0, v[V2 + 1] ?? 0);
  xor(v, V0, v[V3] ?? 0, v[V3 + 1] ?? 0);
  const digest = Buffer.alloc(8);
  digest.writeUInt32LE(v[V0] ?? 0, 0);
  digest.writeUInt32LE(v[V0 + 1] ?? 0, 4);
  return digest;
}
