import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { type Instant, Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { type AuditedAction, AuditTrail } from '../database/audit/audit-trail.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { Denial } from '../dns/dnssec/denial.js';
import { RecordRepository } from '../records/record.repository.js';
import { ZoneChanges } from '../zones/changes/zone-changes.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { snapshotOf } from '../zones/zone-snapshot.js';
import { assertHasOwnRecords } from '../zones/zone-type.js';
import { ZonesService } from '../zones/zones.service.js';
import { DnssecOptions } from './dnssec.options.js';
import { KeyVault } from './keys/key-vault.js';
import type { KeyRole, ZoneKeyEntity } from './keys/zone-key.entity.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ZoneKeys } from './keys/zone-keys.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import { SignedStepRepository } from './state/signed-step.repository.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** How a zone is to be signed; what is left out is as the configuration says. */
export interface SigningWish {
  /** By its number. */
  readonly algorithm?: number | undefined;
  readonly denial?: Denial | undefined;
  readonly isSingleKey?: boolean | undefined;
}

/** How a zone stands to DNSSEC. */
export interface ZoneDnssec {
  readonly zone: Readonly<ZoneEntity>;
  /** `null`: it is not signed. */
  readonly signing: ZoneSigningEntity | null;
  /** Those that are in use. */
  readonly keys: readonly ZoneKeyEntity[];
  /** When the next signature is renewed, in seconds since 1970; `null` before there are any. */
  readonly nextRenewal: number | null;
}

/** Before a DS may be at the parent, nobody looks for signatures, and the zone can be as it was before at once. */
const BEFORE_DS: ReadonlySet<string> = new Set(['signing', 'proving']);
/** Sets that a signed zone makes itself at its apex. */
const OF_SIGNER = ['CDS', 'CDNSKEY'];

/** Signing of zones, on behalf of a caller. */
@Injectable()
export class DnssecService {
  constructor(
    private readonly zones: ZonesService,
    private readonly zoneRows: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly steps: SignedStepRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly keys: ZoneKeys,
    private readonly records: RecordRepository,
    private readonly vault: KeyVault,
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
        return this.read(tx, zone);
      }
      await this.assertNothingOfSigner(tx, zone);
      const now = this.clock.now();
      const row = this.rowOf(zoneId, wish, now);
      await this.keyRows.insert(tx, await this.newKeys(tx, zone, row, now));
      await this.signing.insert(tx, row);
      await this.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial: row.denial });
      return this.read(tx, zone);
    });
  }

  /**
   * Takes back the signatures of a zone for which no DS can have been set.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where a DS may refer to its keys
   */
  async disable(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.changes.in(zoneId, caller, async (change, tx) => {
      const { zone } = change;
      const row = await this.signing.lock(tx, zoneId);
      if (row === undefined) return this.read(tx, zone);
      if (!BEFORE_DS.has(row.state))
        throw new ServiceError(
          'signing_conflict',
          `A DS of ${zone.name} may be in its parent zone: have it removed there first, and say so (POST …/dnssec/parent).`,
        );
      await this.forget(tx, zone);
      // What name servers were sent last has a later serial than the contents may have.
      const before = snapshotOf(zone);
      change.note('zone.serial', { before, after: { ...before, serial: change.serial } });
      await this.note(tx, caller, 'dnssec.disable', zone, {});
      return this.read(tx, { ...zone, publishedSerial: null });
    });
  }

  private async forget(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const now = this.clock.now();
    await this.signing.delete(tx, zone.id);
    await this.zoneRows.publish(tx, zone.id, null);
    await this.steps.forgetBefore(tx, zone.id, Number.MAX_SAFE_INTEGER);
    await this.keyRows.retire(tx, zone.id, now);
  }

  private async read(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<ZoneDnssec> {
    const signing = (await this.signing.find(tx, zone.id)) ?? null;
    if (signing === null) return { zone, signing, keys: [], nextRenewal: null };
    const keys = (await this.keyRows.ofZone(tx, zone.id)).filter(({ retiredAt }) => retiredAt === null);
    return { zone, signing, keys, nextRenewal: await this.sets.firstDue(tx, signing) };
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
      nextDueAt: now,
      runAt: now,
      haltedBecause: null,
      stateSince: now,
      readyAt: null,
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

/** A zone that is signed already is not signed in another way by asking for it again. */
function assertSame({ algorithm, denial, isSingleKey }: ZoneSigningEntity, wish: SigningWish): void {
  const isSame =
    (wish.algorithm ?? algorithm) === algorithm &&
    (wish.denial ?? denial) === denial &&
    (wish.isSingleKey ?? isSingleKey === 1) === (isSingleKey === 1);
  if (!isSame) throw new ServiceError('signing_conflict', 'The domain is signed already, in another way.');
}
