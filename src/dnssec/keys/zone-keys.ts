import type { KeyObject } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Instant } from '../../common/clock.js';
import { allOf } from '../../common/all-of.js';
import { ServiceError } from '../../common/service-error.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import type { ReadKey } from '../../dns/dnssec/key-files.js';
import { dnskeyRdata, keyTag, readDnskey, SECURE_ENTRY_POINT, ZONE_KEY, SigningKey } from '../../dns/dnssec/dnskey.js';
import { PresignedKey, TokenKey, type ZoneSigners } from '../../dns/dnssec/rrsig.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { type KeyUsage, usageOf, type KeyRole, type ZoneKeyEntity } from './zone-key.entity.js';
import { isOffline, type PreparedSignatures } from './key-responses.js';
import {
  IN_TOKEN,
  KeyToken,
  NoKeyToken,
  TokenFailure,
  type TokenKeyForm,
  type TokenKeyPair,
} from '../../dns/dnssec/key-token.js';
import { KeyVault, SealedShut } from './key-vault.js';

/** Decrypting a key takes as long as 40 signatures, so decrypted keys are cached. */
const MAX_CACHED = 10_000;

/** CPU limit for the generation of RSA keys; waits in milliseconds. */
const MAKING = { inAll: 2, perKey: 1, timeLimit: 10_000 };

/** Signatures of one order to the token. */
const TOKEN_PORTION = 64;

/** A private key for a new key, or its place in the token. */
export type NewPrivateKey = KeyObject | TokenKeyPair;

/** How many keys a change needs. */
export interface NewKeys {
  readonly algorithm: number;
  readonly count: number;
}

export const NO_NEW_KEYS: NewKeys = { algorithm: 0, count: 0 };

export type FormerKey = Omit<ReadKey, 'privateKey'> & { readonly privateKey: NewPrivateKey };

type KeyOwner = Pick<ZoneEntity, 'id' | 'name' | 'nameKey' | 'tenantId'>;

@Injectable()
export class ZoneKeys {
  private readonly known = new Map<string, SigningKey | TokenKey>();
  private readonly making = new FairLimiter(MAKING);
  private readonly logger = new Logger('Zonewright');

  constructor(
    private readonly vault: KeyVault,
    private readonly token: KeyToken,
    private readonly options: DnssecOptions,
  ) {}

  /** Whether this process can make keys and sign. */
  get canSign(): boolean {
    return this.hasToken || this.vault.isOpen;
  }

  get hasToken(): boolean {
    return !(this.token instanceof NoKeyToken);
  }

  canOpen({ sealedWith }: Pick<ZoneKeyEntity, 'sealedWith'>): boolean {
    return sealedWith === IN_TOKEN ? this.hasToken : this.vault.canOpen({ sealedWith });
  }

  /**
   * Generates private keys before the transaction in `work`. Those of a refused change are destroyed in the token.
   * @throws ServiceError `unavailable` if the token does not answer
   */
  async withNew<T>(
    { name, tenantId }: KeyOwner,
    { algorithm, count }: NewKeys,
    work: (spare: NewPrivateKey[]) => Promise<T>,
  ): Promise<T> {
    const made =
      count === 0 ? [] : await this.making.run(() => this.newPrivateKeys(count, { algorithm, label: name }), tenantId);
    const spare = [...made];
    try {
      const result = await work(spare);
      await this.destroy(spare);
      return result;
    } catch (error) {
      // Otherwise the change may have been committed.
      if (error instanceof ServiceError && error.code !== 'unavailable') await this.destroy(made);
      throw error;
    }
  }

  /** No key of the zone has or had its tag: signers that confused keys of one tag broke top-level domains. */
  async make(
    zone: KeyOwner,
    role: KeyRole,
    algorithm: number,
    others: readonly Pick<ZoneKeyEntity, 'tag'>[],
    now: Instant,
    spare: NewPrivateKey[],
  ): Promise<ZoneKeyEntity> {
    const taken = new Set(others.map(({ tag }) => tag));
    for (;;) {
      const privateKey = spare.pop() ?? (await this.newInTransaction(algorithm));
      const flags = role === 'zsk' ? ZONE_KEY : SECURE_ENTRY_POINT;
      const publicField = isInToken(privateKey)
        ? privateKey.publicField
        : signingAlgorithm(algorithm).publicField(privateKey);
      const dnskey = dnskeyRdata({ flags, algorithm, publicField });
      const tag = keyTag(dnskey);
      // Some programs treat tag 0 as missing.
      if (tag === 0 || taken.has(tag)) continue;
      return this.rowOf(zone, role, { dnskey, privateKey }, now);
    }
  }

  /** A key of a former signer whose private key is in the token; `null`: it is not. @throws TokenFailure */
  async fromToken({ owner, dnskey }: Pick<FormerKey, 'owner' | 'dnskey'>): Promise<FormerKey | null> {
    const { algorithm, publicField } = readDnskey(dnskey);
    const reference = await this.token.findKey(algorithm, publicField);
    return reference === null ? null : { owner, dnskey, privateKey: { reference, publicField } };
  }

  /** A key of a former signer. @throws ServiceError `unavailable` */
  adopt(
    zone: KeyOwner,
    role: KeyRole,
    { dnskey, privateKey }: Pick<FormerKey, 'dnskey' | 'privateKey'>,
    now: Instant,
  ): ZoneKeyEntity {
    if (!isInToken(privateKey) && !this.vault.isOpen)
      throw new ServiceError(
        'unavailable',
        'This service has no key_encryption_keys: it cannot take keys of key files.',
      );
    return this.rowOf(zone, role, { dnskey, privateKey }, now);
  }

  /** The key of a deleted zone. @throws SealedShut */
  adoptAgain(zone: KeyOwner, former: ZoneKeyEntity, now: Instant): ZoneKeyEntity {
    const dnskey = dnskeyOf(former);
    const { sealed, sealedWith, role } = former;
    const privateKey =
      sealed !== null && sealedWith === IN_TOKEN
        ? { reference: sealed, publicField: readDnskey(dnskey).publicField }
        : this.privateKeyOf(former);
    return this.rowOf(zone, role, { dnskey, privateKey }, now);
  }

  private rowOf(
    zone: KeyOwner,
    role: KeyRole,
    { dnskey, privateKey }: Pick<FormerKey, 'dnskey' | 'privateKey'>,
    now: Instant,
  ): ZoneKeyEntity {
    const row = withoutPrivateKey(zone, { role, dnskey, signer: null }, usageOf(role), now);
    const place = isInToken(privateKey)
      ? { sealed: privateKey.reference, sealedWith: IN_TOKEN }
      : this.vault.seal(privateKey, row);
    return { ...row, ...place };
  }

  /** @throws SealedShut, also for a key in the token */
  privateKeyOf(key: ZoneKeyEntity): KeyObject {
    const { sealed, sealedWith, tag } = key;
    if (sealed === null || sealedWith === null) throw new SealedShut(`the key ${tag} has no private part`);
    if (sealedWith === IN_TOKEN) throw new SealedShut(`the private key of key ${tag} cannot leave its token`);
    return this.vault.open({ sealed, sealedWith }, key);
  }

  /** @param prepared signatures of offline keys @throws SealedShut */
  signing(keys: readonly ZoneKeyEntity[], prepared: PreparedSignatures | null): ZoneSigners {
    const offline = (key: ZoneKeyEntity): PresignedKey =>
      new PresignedKey(dnskeyOf(key), (set, tag) => prepared?.of(set, tag) ?? null);
    return {
      ofKeys: keys
        .filter(({ signsKeys }) => signsKeys === 1)
        .map((key) => (isOffline(key) ? offline(key) : this.read(key))),
      ofZone: keys.filter(({ signsZone }) => signsZone === 1).map((key) => this.read(key)),
    };
  }

  /** Destroys private keys in the token that no zone has. A failure leaves them there. */
  private async destroy(keys: readonly NewPrivateKey[]): Promise<void> {
    for (const { reference } of keys.filter(isInToken))
      await this.token.destroyKey(reference).catch((error: unknown) => {
        this.logger.warn(`The unused key ${reference} stays in the token: ${String(error)}`);
      });
  }

  private async newPrivateKeys(
    count: number,
    { algorithm, label }: Omit<TokenKeyForm, 'rsaBits'>,
  ): Promise<NewPrivateKey[]> {
    const { rsaBits } = this.options;
    const make = (): Promise<NewPrivateKey> =>
      this.hasToken
        ? this.token.makeKey({ algorithm, rsaBits, label })
        : signingAlgorithm(algorithm).newPrivateKey(rsaBits);
    const results = await Promise.allSettled(Array.from({ length: count }, make));
    const made = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = results.find((one) => one.status === 'rejected');
    if (failed === undefined) return made;
    await this.destroy(made);
    if (!(failed.reason instanceof TokenFailure)) throw failed.reason;
    throw new ServiceError('unavailable', `No key can be made in the token now: ${failed.reason.message}.`);
  }

  /** For a key whose tag is taken, or for a second run of the transaction. */
  private newInTransaction(algorithm: number): Promise<KeyObject> {
    // Changes of others wait for the transaction, so it waits for no token.
    if (this.hasToken)
      throw new ServiceError('unavailable', 'The new key has the tag of another key. Send the request again.');
    return signingAlgorithm(algorithm).newPrivateKey(this.options.rsaBits);
  }

  private read(key: ZoneKeyEntity): SigningKey | TokenKey {
    const known = this.known.get(key.id);
    if (known !== undefined) return known;
    const { sealed } = key;
    const read =
      sealed !== null && key.sealedWith === IN_TOKEN
        ? new TokenKey(dnskeyOf(key), (data) => this.signInToken(sealed, key.algorithm, data))
        : new SigningKey(dnskeyOf(key), this.privateKeyOf(key));
    if (this.known.size >= MAX_CACHED) this.known.clear();
    this.known.set(key.id, read);
    return read;
  }

  private async signInToken(
    reference: string,
    algorithm: number,
    data: readonly Uint8Array[],
  ): Promise<readonly Uint8Array[]> {
    const portions: Promise<readonly Uint8Array[]>[] = [];
    for (let at = 0; at < data.length; at += TOKEN_PORTION)
      portions.push(this.token.sign(reference, algorithm, data.slice(at, at + TOKEN_PORTION)));
    return (await allOf(portions)).flat();
  }
}

function isInToken(key: NewPrivateKey): key is TokenKeyPair {
  return 'reference' in key;
}

/** The row of a key whose private key is elsewhere: of another signer, or an offline KSK. */
export function withoutPrivateKey(
  zone: Omit<KeyOwner, 'name'>,
  { role, dnskey, signer }: Pick<ZoneKeyEntity, 'role' | 'signer'> & { readonly dnskey: Uint8Array },
  usage: KeyUsage,
  now: Instant,
): ZoneKeyEntity {
  return {
    ...{ id: timeOrderedUuid(now), zoneId: zone.id, nameKey: zone.nameKey, tenantId: zone.tenantId, role },
    ...{ algorithm: readDnskey(dnskey).algorithm, tag: keyTag(dnskey) },
    ...{ dnskey: Buffer.from(dnskey).toString('base64'), signer, sealed: null, sealedWith: null },
    ...{ ...usage, createdAt: now, retiredAt: null },
  };
}

export function dnskeyOf({ dnskey }: Pick<ZoneKeyEntity, 'dnskey'>): Buffer {
  return Buffer.from(dnskey, 'base64');
}
