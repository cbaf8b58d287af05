import type { KeyObject } from 'node:crypto';
import { signingAlgorithm } from './algorithms.js';
import { keyTag, readDnskey } from './dnskey.js';

/** A key with which a zone is signed. It is made once: to read a key takes longer than to sign with it. */
export class SigningKey {
  readonly tag: number;
  readonly algorithm: number;
  private readonly publicKey: KeyObject;

  /** @param dnskey its RDATA as it is published: what verifies signatures */
  constructor(
    readonly dnskey: Uint8Array,
    private readonly privateKey: KeyObject,
  ) {
    const { algorithm, publicField } = readDnskey(dnskey);
    this.tag = keyTag(dnskey);
    this.algorithm = algorithm;
    this.publicKey = signingAlgorithm(algorithm).publicKeyOf(publicField);
  }

  sign(data: Uint8Array): Uint8Array {
    return signingAlgorithm(this.algorithm).sign(data, this.privateKey);
  }

  verify(data: Uint8Array, signature: Uint8Array): boolean {
    return signingAlgorithm(this.algorithm).verify(data, this.publicKey, signature);
  }
}
