import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { type Instant, Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { type AuditedAction, AuditTrail } from '../database/audit/audit-trail.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { ReadKey } from '../dns/dnssec/bind-key.js';
import type { Denial } from '../dns/dnssec/denial.js';
import { readDnskey, SECURE_ENTRY_POINT } from '../dns/dnssec/dnskey.js';
import { DomainName } from '../dns/name.js';
import { RecordRepository } from '../records/record.repository.js';
import { ZoneChanges } from '../zones/changes/zone-changes.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { assertHasOwnRecords } from '../zones/zone-type.js';
import { ZonesService } from '../zones/zones.service.js';
import { DnssecOptions } from './dnssec.options.js';
import { KeyVault } from './keys/key-vault.js';
import type { KeyRole, ZoneKeyEntity } from './keys/zone-key.entity.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { dnskeyOf, ZoneKeys } from './keys/zone-keys.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import { Rollovers } from './rollovers/rollovers.js';
import type { ZoneRolloverEntity } from './rollovers/zone-rollover.entity.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { Unsigning } from './runs/unsigning.js';
import type { SigningState, ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** How a zone is to be signed; what is left out is as the configuration says. */
export interface SigningWish {
  /** By its number. */
  readonly algorithm?: number | undefined;
  readonly denial?: Denial | undefined;
  readonly isSingleKey?: boolean | undefined;
  /** Keys that the zone has elsewhere, and keeps; they say algorithm and roles. */
  readonly keys?: readonly ReadKey[] | undefined;
}

/** What somebody says of the parent zone. */
export interface ParentStatement {
  readonly hasDs: boolean;
  /** Of the DS, in seconds. */
  readonly ttl: number;
}

/** How a zone stands to DNSSEC. */
export interface ZoneDnssec {
  readonly zone: Readonly<ZoneEntity>;
  /** `null`: it is not signed. */
  readonly signing: ZoneSigningEntity | null;
  /** Those that are in use. */
  readonly keys: readonly ZoneKeyEntity[];
  readonly rollover: ZoneRolloverEntity | null;
  /** When the next signature is renewed, in seconds since 1970; `null` before there are any. */
  readonly nextRenewal: number | null;
}

const PAGE_SIZE = 500;
const SECOND: Instant = 1_000_000;

/** Before a DS may be at the parent, nobody looks for signatures, and the zone can be as it was before at once. */
const BEFORE_DS: ReadonlySet<string> = new Set(['signing', 'proving']);
/** Sets that a signed zone makes itself at its apex. */
const OF_SIGNER = ['CDS', 'CDNSKEY'];

/** Signing of zones, on behalf of a caller. */
@Injectable()
export class DnssecService {
  constructor(
    private readonly zones: ZonesService,
    private readonly changes: ZoneChanges,
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly records: RecordRepository,
    private readonly vault: KeyVault,
    private readonly rollovers: Rollovers,
    private readonly rolloverRows: ZoneRolloverRepository,
    private readonly unsigning: Unsigning,
    private readonly trail: AuditTrail,
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly options: DnssecOptions,
  ) {}

  /** @throws ServiceError `zone_not_found` */
  async of(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    const zone = await this.zones.get(zoneId, caller);
    return this.reads.run((tx) => this.read(tx, zone));
  }

  /**
   * Has a zone signed, soon.
   * @throws ServiceError `zone_not_found`, `forbidden`, `secondary_zone`, `signing_conflict`, `unavailable`
   */
  async enable(zoneId: string, wish: SigningWish, caller: Caller): Promise<ZoneDnssec> {
    if (!this.vault.isOpen)
      throw new ServiceError('unavailable', 'This service has no key_encryption_keys and signs no domains.');
    return this.changes.in(zoneId, caller, async ({ zone }, tx) => {
      assertHasOwnRecords(zone);
      const known = await this.signing.lock(tx, zoneId);
      if (known !== undefined) {
        assertSame(known, wish);
        await this.stay(tx, known, zone, caller);
        await this.changeDenial(tx, zone, wish, caller);
        return this.read(tx, zone);
      }
      await this.assertNothingOfSigner(tx, zone);
      const now = this.clock.now();
      const brought = keysOf(zone, wish) ?? (await this.leftBehind(tx, zone, wish));
      const row = this.rowOf(zoneId, brought === null ? wish : { ...wish, ...formOf(brought) }, now);
      const keys =
        brought?.map(({ role, key }) => this.keys.adopt(zone, role, key, now)) ??
        (await this.newKeys(tx, zone, row, now));
      await this.keyRows.insert(tx, keys);
      await this.signing.insert(tx, row);
      await this.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial: row.denial });
      return this.read(tx, zone);
    });
  }

  /** Signed zones by id from after `marker` on, whoever owns them. */
  signedZones(marker: string): Promise<readonly Pick<ZoneEntity, 'id' | 'name'>[]> {
    return this.reads.run((tx) => this.signing.zones(tx, marker, PAGE_SIZE));
  }

  /** Whoever has asked for the end of signing may think better of it, as long as the DS has not been removed. */
  private async stay(
    tx: Transaction,
    row: ZoneSigningEntity,
    zone: Readonly<ZoneEntity>,
    caller: Caller,
  ): Promise<void> {
    if (row.state !== 'leaving') return;
    await this.enter(tx, row, 'ready');
    await this.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial: row.denial });
  }

  /** The chain of the other kind is made beside the present one, and takes its place in one serial. */
  private async changeDenial(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    { denial }: SigningWish,
    caller: Caller,
  ): Promise<void> {
    const row = await this.signing.lock(tx, zone.id);
    if (row === undefined || denial === undefined || denial === row.denial) return;
    await this.signing.update(tx, { ...withOtherKeys(row, this.clock.now()), denial, signedVersion: null });
    await this.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial });
  }

  /**
   * Takes back the signatures of a zone: at once where no DS can have been set, otherwise when there is none any more.
   * @throws ServiceError `zone_not_found`, `forbidden`
   */
  async disable(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.changes.in(zoneId, caller, async (change, tx) => {
      const { zone } = change;
      const row = await this.signing.lock(tx, zoneId);
      if (row === undefined) return this.read(tx, zone);
      if (row.state === 'leaving') return this.read(tx, zone);
      await this.note(tx, caller, 'dnssec.disable', zone, {});
      if (BEFORE_DS.has(row.state)) {
        await this.unsigning.take(change, tx);
        return this.read(tx, { ...zone, publishedSerial: null });
      }
      await this.assertNotRolling(tx, zone);
      await this.enter(tx, row, 'leaving');
      return this.read(tx, zone);
    });
  }

  /**
   * Somebody says what the parent zone has; the service cannot look there.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where that changes nothing or would break the zone
   */
  async noteParent(zoneId: string, { hasDs, ttl }: ParentStatement, caller: Caller): Promise<ZoneDnssec> {
    return this.onSigned(zoneId, caller, async (tx, zone, row) => {
      if (hasDs) await this.noteDs(tx, zone, row, ttl);
      else await this.noteNoDs(tx, zone, row, ttl);
      await this.note(tx, caller, 'dnssec.parent', zone, { ds: hasDs ? 'published' : 'removed' });
    });
  }

  /**
   * Has everything signed anew, also where signing was halted.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict`
   */
  async resign(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.onSigned(zoneId, caller, async (tx, zone, row) => {
      const now = this.clock.now();
      await this.signing.update(tx, {
        ...withOtherKeys(row, now),
        signedVersion: null,
        haltedBecause: null,
        runAt: now,
      });
      await this.note(tx, caller, 'dnssec.resign', zone, {});
    });
  }

  /**
   * Has a new key take the place of another.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict`
   */
  async roll(zoneId: string, kind: KeyRole, caller: Caller): Promise<ZoneDnssec> {
    return this.onSigned(zoneId, caller, async (tx, zone, row) => {
      const now = this.clock.now();
      const { id } = await this.rollovers.begin(tx, zone, row, kind, now);
      await this.signing.update(tx, withOtherKeys(row, now));
      await this.note(tx, caller, 'dnssec.roll', zone, { key: kind, rollover: id });
    });
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where it has come too far */
  async cancelRoll(zoneId: string, rolloverId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.onSigned(zoneId, caller, async (tx, zone, row) => {
      const now = this.clock.now();
      await this.rollovers.cancel(tx, zone, rolloverId, now);
      await this.signing.update(tx, withOtherKeys(row, now));
      await this.note(tx, caller, 'dnssec.cancel_roll', zone, { rollover: rolloverId });
    });
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where it is not signed */
  private onSigned(
    zoneId: string,
    caller: Caller,
    work: (tx: Transaction, zone: Readonly<ZoneEntity>, row: ZoneSigningEntity) => Promise<void>,
  ): Promise<ZoneDnssec> {
    return this.changes.in(zoneId, caller, async ({ zone }, tx) => {
      const row = await this.signing.lock(tx, zoneId);
      if (row === undefined) throw new ServiceError('signing_conflict', `${zone.name} is not signed.`);
      await work(tx, zone, row);
      return this.read(tx, zone);
    });
  }

  private async noteDs(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    ttl: number,
  ): Promise<void> {
    if (BEFORE_DS.has(row.state))
      throw new ServiceError(
        'signing_conflict',
        `${zone.name} is not ready for a DS yet: take it out of the parent zone.`,
      );
    if (row.state === 'leaving')
      throw new ServiceError(
        'signing_conflict',
        `${zone.name} is to be unsigned: have the DS removed from the parent zone.`,
      );
    const now = this.clock.now();
    await this.rollovers.noteDs(tx, zone.id, now + ttl * SECOND);
    if (row.state === 'ready') await this.enter(tx, row, 'secure');
    else await this.signing.update(tx, { ...row, nextDueAt: now });
  }

  /** Caches have the DS for as long as its ttl; until then they look for signatures. */
  private async noteNoDs(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    row: ZoneSigningEntity,
    ttl: number,
  ): Promise<void> {
    if (row.state === 'secure') {
      await this.assertNotRolling(tx, zone);
      return this.enter(tx, row, 'ready');
    }
    if (row.state !== 'leaving')
      throw new ServiceError('signing_conflict', `No DS of ${zone.name} was said to be in its parent zone.`);
    if (row.readyAt !== null) return;
    const readyAt = this.clock.now() + ttl * SECOND;
    await this.signing.update(tx, { ...row, readyAt, nextDueAt: earlier(row.nextDueAt, readyAt) });
  }

  private async assertNotRolling(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    if ((await this.rolloverRows.find(tx, zone.id)) === null) return;
    throw new ServiceError(
      'signing_conflict',
      `A rollover of ${zone.name} is under way: let it end, or cancel it first.`,
    );
  }

  /** What is published may follow the state: it is looked at at once. */
  private async enter(tx: Transaction, row: ZoneSigningEntity, state: SigningState): Promise<void> {
    const now = this.clock.now();
    await this.signing.update(tx, { ...withOtherKeys(row, now), state, stateSince: now, readyAt: null });
  }

  private async read(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<ZoneDnssec> {
    const signing = (await this.signing.find(tx, zone.id)) ?? null;
    if (signing === null) return { zone, signing, keys: [], rollover: null, nextRenewal: null };
    const keys = (await this.keyRows.ofZone(tx, zone.id)).filter(({ retiredAt }) => retiredAt === null);
    const rollover = await this.rolloverRows.find(tx, zone.id);
    return { zone, signing, keys, rollover, nextRenewal: await this.sets.firstDue(tx, signing) };
  }

  /** A domain that is made again under the name of a signed one has its keys: its DS may be in the parent zone still. */
  private async leftBehind(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    { algorithm, isSingleKey }: SigningWish,
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

  private rowOf(zoneId: string, wish: SigningWish, now: Instant): ZoneSigningEntity {
    return {
      zoneId,
      state: 'signing',
      denial: wish.denial ?? this.options.denial,
      algorithm: wish.algorithm ?? this.options.algorithm,
      isSingleKey: (wish.isSingleKey ?? true) ? 1 : 0,
      generation: 0,
      signedVersion: null,
      step: 0,
      keysVersion: 0,
      nextDueAt: now,
      runAt: now,
      haltedBecause: null,
      stateSince: now,
      readyAt: null,
      checkedAt: now,
    };
  }

  private async newKeys(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    { algorithm, isSingleKey }: ZoneSigningEntity,
    now: Instant,
  ): Promise<ZoneKeyEntity[]> {
    const others = await this.keyRows.ofZone(tx, zone.id);
    const made: ZoneKeyEntity[] = [];
    const roles: readonly KeyRole[] = isSingleKey === 1 ? ['csk'] : ['ksk', 'zsk'];
    for (const role of roles) made.push(this.keys.make(zone, role, algorithm, [...others, ...made], now));
    return made;
  }

  /** Whoever has put CDS there speaks of other keys than ours. */
  private async assertNothingOfSigner(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const stored = await this.records.setsAt(tx, zone.id, [zone.nameKey]);
    const own = stored.find(({ type }) => OF_SIGNER.includes(type));
    if (own === undefined) return;
    throw new ServiceError(
      'signing_conflict',
      `${zone.name} has ${own.type} records of its own, which a signed domain makes itself: delete them first.`,
    );
  }

  private note(
    tx: Transaction,
    caller: Caller,
    action: AuditedAction,
    { id, name, tenantId }: Readonly<ZoneEntity>,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.trail.note(tx, caller, [
      { action, ownerId: tenantId, zone: { id, name }, subject: { id, name }, details },
    ]);
  }
}

/** A zone that is signed already is not given other keys by asking for it again. */
function assertSame({ algorithm, isSingleKey }: ZoneSigningEntity, wish: SigningWish): void {
  const isSame =
    (wish.algorithm ?? algorithm) === algorithm && (wish.isSingleKey ?? isSingleKey === 1) === (isSingleKey === 1);
  if (!isSame) throw new ServiceError('signing_conflict', 'The domain is signed already, with other keys.');
}

interface BroughtKey {
  readonly role: KeyRole;
  readonly key: ReadKey;
}

/** One key for all, or one of each kind; `null` where none is brought. */
function keysOf(zone: Readonly<ZoneEntity>, { keys = [] }: SigningWish): BroughtKey[] | null {
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

function formOf(brought: readonly BroughtKey[]): Pick<SigningWish, 'algorithm' | 'isSingleKey'> {
  const [first] = brought;
  return {
    algorithm: first && readDnskey(first.key.dnskey).algorithm,
    isSingleKey: brought.length === 1,
  };
}

/** What is made from it is looked at at once, and a run that has read it as it was begins again. */
function withOtherKeys(row: ZoneSigningEntity, now: Instant): ZoneSigningEntity {
  return { ...row, keysVersion: row.keysVersion + 1, nextDueAt: now };
}

function earlier(one: Instant | null, other: Instant): Instant {
  return one === null ? other : Math.min(one, other);
}
