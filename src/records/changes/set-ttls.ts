const NO_TTL = -1;

/**
 * The ttl that the records of each set have, to notice where they have several. Of a set it knows no more than a number of
 * 32 bits, so that a million of them take 16 MiB; sets of the same number look like one.
 */
export class SetTtls {
  private readonly sets: Uint32Array;
  private readonly ttls: Int32Array;

  /** @param count of how many records it will be told at most */
  constructor(count: number) {
    const size = 2 ** Math.ceil(Math.log2(2 * count + 2));
    this.sets = new Uint32Array(size);
    this.ttls = new Int32Array(size);
  }

  /**
   * @param ttl `null` for a record without
   * @returns whether a record of the set, or of one that looks like it, had another one
   */
  differs(owner: Uint8Array, type: number, ttl: number | null): boolean {
    const set = numberOf(owner, type);
    const mask = this.sets.length - 1;
    let slot = set & mask;
    while (this.sets[slot] !== set && this.sets[slot] !== 0) slot = (slot + 1) & mask;
    if (this.sets[slot] === set) return this.ttls[slot] !== (ttl ?? NO_TTL);
    this.sets[slot] = set;
    this.ttls[slot] = ttl ?? NO_TTL;
    return false;
  }
}

/** The bit that tells small letters from capitals. */
const CASE = 0x20;

/** FNV-1a, without regard to case; never 0. */
function numberOf(owner: Uint8Array, type: number): number {
  let hash = Math.imul(0x811c9dc5 ^ type, 0x01000193);
  for (const octet of owner) hash = Math.imul(hash ^ (octet | CASE), 0x01000193);
  hash ^= hash >>> 15;
  return hash >>> 0 || 1;
}
