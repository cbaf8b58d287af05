import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { privateKeyOctets, privateKeyOf } from '../../dns/dnssec/algorithms.js';
import { DnssecOptions } from '../dnssec.options.js';

/** The authenticated data of an encrypted key: a row cannot replace another one. */
export interface KeyPlace {
  readonly id: string;
  readonly zoneId: string;
}

export interface SealedKey {
  readonly sealed: string;
  /** Identifies the key-encryption key without revealing it. */
  readonly sealedWith: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_OCTETS = 12;
const MARK_OCTETS = 16;
const ID_DIGITS = 16;

/** Encrypts private keys with the configured key-encryption key (RFC 5116 §5.2). */
@Injectable()
export class KeyVault {
  private readonly encryptionKeys: ReadonlyMap<string, Uint8Array>;
  private readonly present: { readonly id: string; readonly key: Uint8Array } | null;

  constructor({ encryptionKeys: [first, ...others] }: DnssecOptions) {
    const known = [first, ...others].flatMap((key) => (key === undefined ? [] : [[idOf(key), key] as const]));
    this.encryptionKeys = new Map(known);
    this.present = first === undefined ? null : { id: idOf(first), key: first };
  }

  get isOpen(): boolean {
    return this.present !== null;
  }

  /** Whether it is the ID of the key that encrypts new keys. */
  isPresent(sealedWith: string): boolean {
    return this.present?.id === sealedWith;
  }

  canOpen({ sealedWith }: { readonly sealedWith: string | null }): boolean {
    return sealedWith !== null && this.encryptionKeys.has(sealedWith);
  }

  seal(key: KeyObject, place: KeyPlace): SealedKey {
    if (this.present === null) throw new SealedShut('no key_encryption_keys are configured');
    const nonce = randomBytes(NONCE_OCTETS);
    const cipher = createCipheriv(CIPHER, this.present.key, nonce).setAAD(boundTo(place));
    const octets = Buffer.concat([cipher.update(privateKeyOctets(key)), cipher.final()]);
    const sealed = Buffer.concat([nonce, cipher.getAuthTag(), octets]).toString('base64');
    return { sealed, sealedWith: this.present.id };
  }

  /** @throws SealedShut if the key-encryption key is not configured; DamagedKey for a modified row */
  open({ sealed, sealedWith }: SealedKey, place: KeyPlace): KeyObject {
    const key = this.encryptionKeys.get(sealedWith);
    if (key === undefined) throw new SealedShut(`key-encryption key ${sealedWith} is not configured`);
    const octets = Buffer.from(sealed, 'base64');
    const [nonce, mark] = [octets.subarray(0, NONCE_OCTETS), octets.subarray(NONCE_OCTETS, NONCE_OCTETS + MARK_OCTETS)];
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(boundTo(place)).setAuthTag(mark);
      const opened = decipher.update(octets.subarray(NONCE_OCTETS + MARK_OCTETS));
      return privateKeyOf(Buffer.concat([opened, decipher.final()]));
    } catch {
      throw new DamagedKey(`key ${place.id} of zone ${place.zoneId} is damaged`);
    }
  }
}

/** This process cannot decrypt a private key. */
export class SealedShut extends Error {}

export class DamagedKey extends SealedShut {}

function idOf(key: Uint8Array): string {
  return createHash('sha256').update('zonewright key-encryption key').update(key).digest('hex').slice(0, ID_DIGITS);
}

function boundTo({ id, zoneId }: KeyPlace): Buffer {
  return Buffer.from(`${zoneId} ${id}`);
}
