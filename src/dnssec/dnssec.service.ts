import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { type Instant, Clock, DAY } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import type { Denial } from '../dns/dnssec/denial.js';
import { RecordRepository } from '../records/record.repository.js';
import { ZoneChanges } from '../zones/changes/zone-changes.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { assertHasOwnRecords } from '../zones/zone-type.js';
import { DnssecRequests } from './dnssec-requests.js';
import { DnssecOptions } from './dnssec.options.js';
import { FirstKeys, type FirstKeySet, type KeyRequest } from './keys/first-keys.js';
import { KeyVault } from './keys/key-vault.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ParentStatements, type ParentStatement } from './parent-statements.js';
import { ParentStatus } from './parent/parent-status.js';
import { KeyRollover } from './rollovers/key-rollover.js';
import { SigningClock } from './signing/signing-clock.js';
import { ZoneUnsigner } from './signing/zone-unsigner.js';
import { BEFORE_DS, entering, withOtherKeys, type ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';
import type { ZoneDnssec } from './zone-dnssec.js';

/** How a zone is to be signed; what is left out is as the configuration says. */
export interface SigningRequest extends KeyRequest {
  readonly denial?: Denial | undefined;
  /** Leaves a zone that is about to be unsigned so: what was read of it is sent back. */
  readonly staysLeaving?: boolean;
}

const PAGE_SIZE = 500;

/** Sets that a signed zone makes itself at its apex. */
const OF_SIGNER = ['CDS', 'CDNSKEY'];

/** Signing of zones, on behalf of a caller. */
@Injectable()
export class DnssecService {
  constructor(
    private readonly requests: DnssecRequests,
    private readonly changes: ZoneChanges,
    private readonly signing: ZoneSigningRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly firstKeys: FirstKeys,
    private readonly parents: ParentStatements,
    private readonly seen: ParentStatus,
    private readonly records: RecordRepository,
    private readonly vault: KeyVault,
    private readonly rollovers: KeyRollover,
    private readonly unsigning: ZoneUnsigner,
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly signingClock: SigningClock,
    private readonly options: DnssecOptions,
  ) {}

  /** Whether this process has what it takes to begin with a zone. */
  get isAvailable(): boolean {
    return this.vault.isOpen;
  }

  /** @throws ServiceError `zone_not_found` */
  of(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.of(zoneId, caller);
  }

  /**
   * Has a zone signed, soon.
   * @throws ServiceError `zone_not_found`, `forbidden`, `secondary_zone`, `signing_conflict`, `unavailable`
   */
  async enable(zoneId: string, wish: SigningRequest, caller: Caller): Promise<ZoneDnssec> {
    const { zone: asked, signing } = await this.of(zoneId, caller);
    if (!this.isAvailable && (signing === null || isOtherDenial(signing, wish)))
      throw new ServiceError('unavailable', 'This service has no key_encryption_keys and signs no domains.');
    const spare = signing === null ? await this.firstKeys.spare(asked.tenantId, wish) : [];
    return this.changes.withZoneLock(zoneId, caller, async ({ zone }, tx) => {
      assertHasOwnRecords(zone);
      const known = await this.signing.lock(tx, zoneId);
      if (known !== undefined) {
        assertSame(known, wish);
        if (wish.staysLeaving !== true) await this.stay(tx, known, zone, caller);
        await this.changeDenial(tx, zone, wish, caller);
        return this.requests.read(tx, zone);
      }
      await this.assertNothingOfSigner(tx, zone);
      const now = this.clock.now();
      const first = await this.firstKeys.of(tx, zone, wish, now, spare);
      const row = newRow(zoneId, first, wish.denial ?? this.options.denial, now);
      await this.keyRows.insert(tx, first.keys);
      await this.signing.insert(tx, row);
      await this.requests.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial: row.denial });
      return this.requests.read(tx, zone);
    });
  }

  /** Signed zones by id from after `marker` on, whoever owns them. */
  signedZones(marker: string): Promise<readonly Pick<ZoneEntity, 'id' | 'name'>[]> {
    return this.reads.run((tx) => this.signing.zones(tx, marker, PAGE_SIZE));
  }

  /** The same of those that are halted, or whose renewal is late by a day. */
  brokenZones(marker: string): Promise<readonly Pick<ZoneEntity, 'id' | 'name'>[]> {
    return this.reads.run((tx) => this.signing.broken(tx, this.clock.now() - DAY, marker, PAGE_SIZE));
  }

  /** Whoever has asked for the end of signing may think better of it, as long as the DS has not been removed. */
  private async stay(
    tx: Transaction,
    row: ZoneSigningEntity,
    zone: Readonly<ZoneEntity>,
    caller: Caller,
  ): Promise<void> {
    if (row.state !== 'leaving') return;
    await this.signing.update(tx, entering(row, 'ready', this.clock.now()));
    await this.requests.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial: row.denial });
  }

  /** The chain of the other kind is made beside the present one, and takes its place in one serial. */
  private async changeDenial(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    wish: SigningRequest,
    caller: Caller,
  ): Promise<void> {
    const row = await this.signing.lock(tx, zone.id);
    if (row === undefined || !isOtherDenial(row, wish)) return;
    const { denial = row.denial } = wish;
    await this.signing.update(tx, { ...withOtherKeys(row, this.clock.now()), denial, signedVersion: null });
    await this.requests.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial });
  }

  /**
   * Takes back the signatures of a zone: at once where no DS can have been set, otherwise when there is none any more.
   * @throws ServiceError `zone_not_found`, `forbidden`
   */
  async disable(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.changes.withZoneLock(zoneId, caller, async (change, tx) => {
      const { zone } = change;
      const row = await this.signing.lock(tx, zoneId);
      if (row === undefined) return this.requests.read(tx, zone);
      if (row.state === 'leaving') return this.requests.read(tx, zone);
      await this.requests.note(tx, caller, 'dnssec.disable', zone, {});
      if (BEFORE_DS.has(row.state)) {
        await this.unsigning.take(change, tx);
        return this.requests.read(tx, { ...zone, publishedSerial: null });
      }
      await this.rollovers.assertNone(tx, zone);
      await this.signing.update(tx, entering(row, 'leaving', this.clock.now()));
      return this.requests.read(tx, zone);
    });
  }

  /**
   * Somebody says what the parent zone has, where the service cannot look; where it has seen otherwise it looks again at once.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where that was seen not to be so or would break the zone
   */
  async noteParent(zoneId: string, statement: ParentStatement, caller: Caller): Promise<ZoneDnssec> {
    await this.signingClock.compare();
    const objections: string[] = [];
    const noted = await this.requests.change(zoneId, caller, async (tx, zone, row) => {
      const objection = await this.seen.objectionTo(tx, zone, row, statement);
      if (objection !== null) {
        objections.push(objection);
        return this.signing.lookAtParent(tx, zoneId, this.clock.now());
      }
      await this.parents.take(tx, zone, row, statement);
      await this.requests.note(tx, caller, 'dnssec.parent', zone, { ds: statement.hasDs ? 'published' : 'removed' });
    });
    const [objection] = objections;
    if (objection === undefined) return noted;
    throw new ServiceError(
      'signing_conflict',
      `The parent zone does not have that: ${objection}. It is looked at again now.`,
    );
  }

  /**
   * Has everything signed anew, also where signing was halted.
   * @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict`
   */
  async resign(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.change(zoneId, caller, async (tx, zone, row) => {
      const now = this.clock.now();
      await this.signing.update(tx, {
        ...withOtherKeys(row, now),
        signedVersion: null,
        haltedBecause: null,
        runAt: now,
      });
      await this.requests.note(tx, caller, 'dnssec.resign', zone, {});
    });
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
}

/** A zone that is signed already is not given other keys by asking for it again. */
function isOtherDenial({ denial }: ZoneSigningEntity, wish: SigningRequest): boolean {
  return wish.denial !== undefined && wish.denial !== denial;
}

function assertSame({ algorithm, isSingleKey }: ZoneSigningEntity, wish: SigningRequest): void {
  const isSame =
    (wish.algorithm ?? algorithm) === algorithm && (wish.isSingleKey ?? isSingleKey === 1) === (isSingleKey === 1);
  if (!isSame) throw new ServiceError('signing_conflict', 'The domain is signed already, with other keys.');
}

function newRow(
  zoneId: string,
  { algorithm, isSingleKey }: FirstKeySet,
  denial: Denial,
  now: Instant,
): ZoneSigningEntity {
  return {
    ...{ zoneId, state: 'signing', stateSince: now, denial, algorithm, isSingleKey: isSingleKey ? 1 : 0 },
    ...{ generation: 0, signedVersion: null, step: 0, keysVersion: 0 },
    ...{ nextDueAt: now, runAt: now, checkedAt: now, haltedBecause: null, readyAt: null },
    ...{ parentDueAt: null, formerUntil: 0, foldedStep: null },
  };
}
