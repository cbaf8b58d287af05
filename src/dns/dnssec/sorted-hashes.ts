import { HASH_OCTETS } from './denial.js';

/** Hashes are spread evenly over so many buckets, by their beginning. */
const BUCKET_BITS = 12;
const VALUE_OCTETS = 2;
const ENTRY_OCTETS = HASH_OCTETS + VALUE_OCTETS;
const FIRST_ENTRIES = 4;

interface HashedValue {
  readonly hash: Uint8Array;
  readonly value: number;
}

/**
 * Hashes with a small number each, to be read in their order. A million takes some forty megabytes, and they are put in order
 * in portions: each bucket when its turn comes.
 */
export class SortedHashes {
  private readonly buckets = new Map<number, Bucket>();

  /** @param value of 16 bits */
  add(hash: Uint8Array, value: number): void {
    const place = (((hash[0] ?? 0) << 8) | (hash[1] ?? 0)) >> (16 - BUCKET_BITS);
    let bucket = this.buckets.get(place);
    if (bucket === undefined) this.buckets.set(place, (bucket = new Bucket()));
    bucket.add(hash, value);
  }

  *inOrder(): Generator<readonly HashedValue[]> {
    for (let place = 0; place < 1 << BUCKET_BITS; place += 1) {
      const bucket = this.buckets.get(place);
      if (bucket !== undefined) yield bucket.inOrder();
    }
  }
}

class Bucket {
  private octets = Buffer.allocUnsafeSlow(FIRST_ENTRIES * ENTRY_OCTETS);
  private length = 0;

  add(hash: Uint8Array, value: number): void {
    if (this.length === this.octets.length) {
      const larger = Buffer.allocUnsafeSlow(2 * this.length);
      larger.set(this.octets);
      this.octets = larger;
    }
    this.octets.set(hash, this.length);
    this.octets.writeUInt16BE(value, this.length + HASH_OCTETS);
    this.length += ENTRY_OCTETS;
  }

  inOrder(): HashedValue[] {
    const entries: Buffer[] = [];
    for (let at = 0; at < this.length; at += ENTRY_OCTETS) entries.push(this.octets.subarray(at, at + ENTRY_OCTETS));
    return entries
      .sort((one, other) => Buffer.compare(one, other))
      .map((entry) => ({ hash: entry.subarray(0, HASH_OCTETS), value: entry.readUInt16BE(HASH_OCTETS) }));
  }
}
