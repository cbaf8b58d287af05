import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { privateKeyOctets, privateKeyOf } from '../../dns/dnssec/algorithms.js';
import { DnssecOptions } from '../dnssec.options.js';

/** What a private key is bound to: a row cannot be put into the place of another one. */
export interface KeyPlace {
  readonly id: string;
  readonly zoneId: string;
}

export interface SealedKey {
  readonly sealed: string;
  /** Tells with which key-encryption key, and nothing of it. */
  readonly sealedWith: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_OCTETS = 12;
const MARK_OCTETS = 16;
const ID_DIGITS = 16;

/** Seals private keys with the key-encryption key of the configuration (RFC 5116 §5.2). Without one it opens nothing. */
@Injectable()
export class KeyVault {
  private readonly encryptionKeys: ReadonlyMap<string, Uint8Array>;
  private readonly present: { readonly id: string; readonly key: Uint8Array } | null;

  constructor({ encryptionKeys: [first, ...others] }: DnssecOptions) {
    const known = [first, ...others].flatMap((key) => (key === undefined ? [] : [[idOf(key), key] as const]));
    this.encryptionKeys = new Map(known);
    this.present = first === undefined ? null : { id: idOf(first), key: first };
  }

  /** Whether keys can be made. */
  get isOpen(): boolean {
    return this.present !== null;
  }

  /** Whether new keys are sealed with the same. */
  isPresent(sealedWith: string): boolean {
    return this.present?.id === sealedWith;
  }

  /** Whether this process has the key that it was sealed with. */
  canOpen({ sealedWith }: { readonly sealedWith: string | null }): boolean {
    return sealedWith !== null && this.encryptionKeys.has(sealedWith);
  }

  /** @throws SealedShut where there is no key-encryption key */
  seal(key: KeyObject, place: KeyPlace): SealedKey {
    if (this.present === null) throw new SealedShut('no key_encryption_key is configured');
    const nonce = randomBytes(NONCE_OCTETS);
    const cipher = createCipheriv(CIPHER, this.present.key, nonce).setAAD(boundTo(place));
    const octets = Buffer.concat([cipher.update(privateKeyOctets(key)), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), octets]).toString('base64');
    return { sealed, sealedWith: this.present.id };
  }

  /** @throws SealedShut where the key that it was sealed with is not configured; DamagedKey where it is not what was sealed */
  open({ sealed, sealedWith }: SealedKey, place: KeyPlace): KeyObject {
    const key = this.encryptionKeys.get(sealedWith);
    if (key === undefined) throw new SealedShut(`a key was sealed with ${sealedWith}, which is not configured`);
    const octets = Buffer.from(sealed, 'base64');
    const [nonce, mark] = [octets.subarray(0, NONCE_OCTETS), octets.subarray(NONCE_OCTETS, NONCE_OCTETS + MARK_OCTETS)];
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(boundTo(place)).setAuthTag(mark);
      const opened = decipher.update(octets.subarray(NONCE_OCTETS + MARK_OCTETS));
      return privateKeyOf(Buffer.concat([opened, decipher.final()]));
    } catch {
      throw new DamagedKey(`the key ${place.id} of zone ${place.zoneId} is not what was sealed`);
    }
  }
}

/** A private key that cannot be read here. */
export class SealedShut extends Error {}

/** One that nobody can read any more. */
export class DamagedKey extends SealedShut {}

function idOf(key: Uint8Array): string {
  return createHash('sha256').update('zonewright key-encryption key').update(key).digest('hex').slice(0, ID_DIGITS);
}

function boundTo({ id, zoneId }: KeyPlace): Buffer {
  return Buffer.from(`${zoneId} ${id}`);
}
