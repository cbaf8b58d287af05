import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { Denial } from '../../dns/dnssec/denial.js';
import { NAMES_OF_NEW_KEYS, signingAlgorithm } from '../../dns/dnssec/algorithms.js';
import { readDnskey, SECURE_ENTRY_POINT } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import { RecordRepository } from '../../records/record.repository.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { offlineKsk } from '../rollovers/other-signers.js';
import { keyTtlOf } from '../signing/present-sets.js';
import { type LockedZone, SigningContext } from '../signing-context.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { type KeyRole, usageOf, type ZoneKeyEntity } from './zone-key.entity.js';
import { type FormerKey, NO_NEW_KEYS, type NewKeys, type NewPrivateKey, ZoneKeys } from './zone-keys.js';

/** The configuration has the defaults. */
export interface SigningRequest {
  readonly denial?: Denial | undefined;
  readonly algorithm?: number | undefined;
  readonly isSingleKey?: boolean | undefined;
  /** Keys of the former signer, which define algorithm and roles. */
  readonly keys?: readonly FormerKey[] | undefined;
  /** DNSKEY RDATA of a KSK whose private key stays elsewhere. */
  readonly offlineKsk?: Uint8Array | undefined;
}

/** `spare`: private keys, generated before the transaction. */
interface SigningStart extends Omit<LockedZone, 'row'> {
  readonly request: SigningRequest;
  readonly now: Instant;
  readonly spare: NewPrivateKey[];
}

interface FirstKeySet {
  readonly algorithm: number;
  readonly isSingleKey: boolean;
  readonly keys: readonly ZoneKeyEntity[];
}

interface ImportedKey {
  readonly role: KeyRole;
  readonly key: FormerKey;
}

const GENERATED_TYPES = ['CDS', 'CDNSKEY'];

/** Starts the signing of a zone with imported keys, the keys of a deleted zone with the same name, or new keys. */
@Injectable()
export class FirstKeys {
  constructor(
    private readonly context: SigningContext,
    private readonly records: RecordRepository,
    private readonly keys: ZoneKeys,
    private readonly options: DnssecOptions,
  ) {}

  get isAvailable(): boolean {
    return this.keys.canSign;
  }

  /** Generates private keys before the transaction in `work`; none without a request. */
  withNew<T>(
    zone: Readonly<ZoneEntity>,
    request: SigningRequest | null,
    work: (spare: NewPrivateKey[]) => Promise<T>,
  ): Promise<T> {
    return this.keys.withNew(zone, request === null ? NO_NEW_KEYS : this.newKeysOf(request), work);
  }

  private newKeysOf(request: SigningRequest): NewKeys {
    if ((request.keys ?? []).length > 0) return NO_NEW_KEYS;
    const { algorithm, roles } = this.formOf(request);
    return { algorithm, count: request.offlineKsk === undefined ? roles.length : 1 };
  }

  /** @throws ServiceError `signing_conflict` for keys of another zone, and for stored CDS or CDNSKEY records */
  async begin(start: SigningStart): Promise<ZoneSigningEntity> {
    const { tx, zone, request, now } = start;
    await this.assertNoneGenerated(tx, zone);
    const { algorithm, isSingleKey, keys } = await this.keysFor(start);
    const denial = request.denial ?? this.options.denial;
    const row: ZoneSigningEntity = {
      ...{ zoneId: zone.id, state: 'signing', stateSince: now, denial, algorithm, isSingleKey: isSingleKey ? 1 : 0 },
      ...{ generation: 0, signedVersion: null, step: 0, keysVersion: 0 },
      // Without the signatures of an offline KSK, nothing can be signed.
      ...{
        nextDueAt: request.offlineKsk === undefined ? now : null,
        runAt: now,
        checkedAt: now,
        haltedBecause: null,
        readyAt: null,
      },
      ...{ parentDueAt: null, formerUntil: 0, foldedStep: null },
      keyTtl: request.offlineKsk === undefined ? null : keyTtlOf(zone),
    };
    await this.context.keys.insert(tx, keys);
    await this.context.signing.insert(tx, row);
    return row;
  }

  /** Stored CDS and CDNSKEY records name keys of another signer. */
  private async assertNoneGenerated(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const stored = await this.records.setsAt(tx, zone.id, [zone.nameKey]);
    const own = stored.find(({ type }) => GENERATED_TYPES.includes(type));
    if (own === undefined) return;
    throw new ServiceError(
      'signing_conflict',
      `${zone.name} has ${own.type} records of its own, which a signed domain makes itself: delete them first.`,
    );
  }

  private async keysFor(start: SigningStart): Promise<FirstKeySet> {
    const { zone, request, now } = start;
    if (request.offlineKsk !== undefined) return this.withOfflineKsk(start, request.offlineKsk);
    const imported = importedKeys(zone, request)?.map(({ role, key }) => this.keys.adopt(zone, role, key, now));
    const keys = imported ?? (await this.leftBehind(start));
    if (keys === null) return this.newKeys(start);
    return { algorithm: keys[0]?.algorithm ?? this.options.algorithm, isSingleKey: keys.length === 1, keys };
  }

  private async newKeys({ tx, zone, request, now, spare }: SigningStart): Promise<FirstKeySet> {
    const { algorithm, roles } = this.formOf(request);
    const others = await this.context.keys.ofZone(tx, zone.id);
    const keys: ZoneKeyEntity[] = [];
    for (const role of roles) keys.push(await this.keys.make(zone, role, algorithm, [...others, ...keys], now, spare));
    return { algorithm, isSingleKey: roles.length === 1, keys };
  }

  private async withOfflineKsk(
    { tx, zone, request, now, spare }: SigningStart,
    dnskey: Uint8Array,
  ): Promise<FirstKeySet> {
    const others = await this.context.keys.ofZone(tx, zone.id);
    const { algorithm } = this.formOf(request);
    const ksk = offlineKsk(zone, 'offline_ksk', { dnskey, algorithm }, others, usageOf('ksk'), now);
    const zsk = await this.keys.make(zone, 'zsk', algorithm, [...others, ksk], now, spare);
    return { algorithm, isSingleKey: false, keys: [ksk, zsk] };
  }

  private formOf({ algorithm, isSingleKey, offlineKsk: ksk }: SigningRequest): {
    readonly algorithm: number;
    readonly roles: readonly KeyRole[];
  } {
    const ofKsk = ksk && readDnskey(ksk).algorithm;
    return {
      algorithm: ofNewKeys(algorithm ?? ofKsk ?? this.options.algorithm),
      roles: (isSingleKey ?? ksk === undefined) ? ['csk'] : ['ksk', 'zsk'],
    };
  }

  /** The keys of a deleted signed zone with the same name: the parent zone may still have its DS. */
  private async leftBehind({ tx, zone, request, now }: SigningStart): Promise<ZoneKeyEntity[] | null> {
    const { algorithm, isSingleKey } = request;
    const rows = await this.context.keys.leftBehind(tx, zone.nameKey, zone.tenantId);
    const isWanted =
      rows.some((row) => row.signsZone === 1) &&
      rows.some((row) => row.signsKeys === 1) &&
      rows.every((row) => this.keys.canOpen(row) && (algorithm ?? row.algorithm) === row.algorithm) &&
      (isSingleKey ?? rows.length === 1) === (rows.length === 1);
    return isWanted ? rows.map((row) => this.keys.adoptAgain(zone, row, now)) : null;
  }
}

/** @throws ServiceError `invalid_object` for an algorithm that only imported keys may have */
function ofNewKeys(algorithm: number): number {
  const { isForImportOnly, mnemonic } = signingAlgorithm(algorithm);
  if (isForImportOnly !== true) return algorithm;
  const message = `algorithm: ${mnemonic} is only for domains that another signer has signed with it; choose one of ${NAMES_OF_NEW_KEYS.join(', ')}.`;
  throw ServiceError.ofField('invalid_object', 'algorithm', 'enum', message);
}

/** A CSK, or a KSK and a ZSK; `null` for a request without keys. @throws ServiceError `signing_conflict` */
export function importedKeys(
  zone: Readonly<Pick<ZoneEntity, 'name'>>,
  { keys = [] }: SigningRequest,
): ImportedKey[] | null {
  if (keys.length === 0) return null;
  const apex = DomainName.parse(zone.name);
  const isEntry = ({ dnskey }: FormerKey): boolean => readDnskey(dnskey).flags === SECURE_ENTRY_POINT;
  const [entries, others] = [keys.filter(isEntry), keys.filter((key) => !isEntry(key))];
  const algorithms = new Set(keys.map(({ dnskey }) => readDnskey(dnskey).algorithm));
  const isWhole = entries.length === 1 && others.length <= 1 && algorithms.size === 1;
  if (!isWhole || !keys.every(({ owner }) => owner.equals(apex)))
    throw new ServiceError(
      'signing_conflict',
      `Bring one key of ${zone.name} with the flags 257 and at most one with 256, both of one algorithm.`,
    );
  const entryRole: KeyRole = others.length === 0 ? 'csk' : 'ksk';
  return keys.map((key) => ({ role: isEntry(key) ? entryRole : 'zsk', key }));
}
