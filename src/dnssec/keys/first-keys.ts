import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { ReadKey } from '../../dns/dnssec/bind-key.js';
import { readDnskey, SECURE_ENTRY_POINT } from '../../dns/dnssec/dnskey.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { KeyVault } from './key-vault.js';
import type { KeyRole, ZoneKeyEntity } from './zone-key.entity.js';
import { ZoneKeyRepository } from './zone-key.repository.js';
import { dnskeyOf, ZoneKeys } from './zone-keys.js';

/** Which keys a zone is to have; what is left out is as the configuration says. */
export interface KeyRequest {
  /** By its number. */
  readonly algorithm?: number | undefined;
  readonly isSingleKey?: boolean | undefined;
  /** Keys that the zone has elsewhere, and keeps; they say algorithm and roles. */
  readonly keys?: readonly ReadKey[] | undefined;
}

/** What a zone begins with. */
export interface FirstKeySet {
  readonly algorithm: number;
  readonly isSingleKey: boolean;
  readonly keys: readonly ZoneKeyEntity[];
}

interface BroughtKey {
  readonly role: KeyRole;
  readonly key: ReadKey;
}

/** The keys that a zone is signed with at first: those that it has elsewhere, those that it has had here, or new ones. */
@Injectable()
export class FirstKeys {
  constructor(
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly vault: KeyVault,
    private readonly options: DnssecOptions,
  ) {}

  /** Private keys, made before a transaction. */
  spare(tenantId: string, wish: KeyRequest): Promise<KeyObject[]> {
    if ((wish.keys ?? []).length > 0) return Promise.resolve([]);
    const { algorithm, roles } = this.formOf(wish);
    return this.keys.spare(tenantId, algorithm, roles.length);
  }

  /** @throws ServiceError `signing_conflict` where what is brought are no keys of the zone */
  async of(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    wish: KeyRequest,
    now: Instant,
    spare: KeyObject[],
  ): Promise<FirstKeySet> {
    const brought = broughtKeys(zone, wish) ?? (await this.leftBehind(tx, zone, wish));
    if (brought === null) return this.made(tx, zone, wish, now, spare);
    const keys = brought.map(({ role, key }) => this.keys.adopt(zone, role, key, now));
    return { algorithm: keys[0]?.algorithm ?? this.options.algorithm, isSingleKey: keys.length === 1, keys };
  }

  private async made(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    wish: KeyRequest,
    now: Instant,
    spare: KeyObject[],
  ): Promise<FirstKeySet> {
    const { algorithm, roles } = this.formOf(wish);
    const others = await this.keyRows.ofZone(tx, zone.id);
    const keys: ZoneKeyEntity[] = [];
    for (const role of roles) keys.push(await this.keys.make(zone, role, algorithm, [...others, ...keys], now, spare));
    return { algorithm, isSingleKey: roles.length === 1, keys };
  }

  private formOf({ algorithm, isSingleKey }: KeyRequest): {
    readonly algorithm: number;
    readonly roles: readonly KeyRole[];
  } {
    return {
      algorithm: algorithm ?? this.options.algorithm,
      roles: (isSingleKey ?? true) ? ['csk'] : ['ksk', 'zsk'],
    };
  }

  /** A domain that is made again under the name of a signed one has its keys: its DS may be in the parent zone still. */
  private async leftBehind(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    { algorithm, isSingleKey }: KeyRequest,
  ): Promise<BroughtKey[] | null> {
    const rows = await this.keyRows.leftBehind(tx, zone.nameKey, zone.tenantId);
    const isWanted =
      rows.length > 0 &&
      rows.every((row) => this.vault.canOpen(row) && (algorithm ?? row.algorithm) === row.algorithm) &&
      (isSingleKey ?? rows.length === 1) === (rows.length === 1);
    if (!isWanted) return null;
    const owner = DomainName.parse(zone.name);
    return rows.map((row) => ({
      role: row.role,
      key: { owner, dnskey: dnskeyOf(row), privateKey: this.keys.privateKeyOf(row) },
    }));
  }
}

/** One key for all, or one of each kind; `null` where none is brought. */
function broughtKeys(zone: Readonly<ZoneEntity>, { keys = [] }: KeyRequest): BroughtKey[] | null {
  if (keys.length === 0) return null;
  const apex = DomainName.parse(zone.name);
  const isEntry = ({ dnskey }: ReadKey): boolean => readDnskey(dnskey).flags === SECURE_ENTRY_POINT;
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
