import type { KeyObject } from 'node:crypto';
import { signingAlgorithm } from './algorithms.js';
import { keyTag, readDnskey } from './dnskey.js';

/** A key as it is published. It is made once: to read a key takes longer than to verify with it. */
export class PublishedKey {
  readonly tag: number;
  readonly flags: number;
  readonly algorithm: number;
  private readonly publicKey: KeyObject;

  /** @param dnskey its RDATA */
  constructor(readonly dnskey: Uint8Array) {
    const { flags, algorithm, publicField } = readDnskey(dnskey);
    this.tag = keyTag(dnskey);
    this.flags = flags;
    this.algorithm = algorithm;
    this.publicKey = signingAlgorithm(algorithm).publicKeyOf(publicField);
  }

  verify(data: Uint8Array, signature: Uint8Array): boolean {
    return signingAlgorithm(this.algorithm).verify(data, this.publicKey, signature);
  }
}

/** A key with which a zone is signed. */
export class SigningKey extends PublishedKey {
  /** @param dnskey its RDATA as it is published: what verifies signatures */
  constructor(
    dnskey: Uint8Array,
    private readonly privateKey: KeyObject,
  ) {
    super(dnskey);
  }

  sign(data: Uint8Array): Uint8Array {
    return signingAlgorithm(this.algorithm).sign(data, this.privateKey);
  }
}
