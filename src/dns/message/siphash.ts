/**
 * SipHash-2-4 with an output of 64 bits (Aumasson, Bernstein 2012), which interoperable DNS cookies are made with (RFC 9018
 * §4.4) and which Node does not offer. Numbers of 64 bits are pairs of their lower and upper half.
 */
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

/** The data, zeros up to the last octet of a word, and in that octet the length. */
function padded(data: Uint8Array): Uint8Array {
  const octets = new Uint8Array((data.length & ~7) + 8);
  octets.set(data);
  octets[octets.length - 1] = data.length;
  return octets;
}

/** Little-endian words of 32 bits. */
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

/** Rotates to the left, and takes the exclusive or with another. */
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
