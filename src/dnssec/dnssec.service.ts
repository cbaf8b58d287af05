import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock, DAY } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { assertHasOwnRecords } from '../zones/zone-fields.js';
import { DnssecRequests } from './dnssec-requests.js';
import { isOffline } from './keys/key-responses.js';
import type { ZoneKeyEntity } from './keys/zone-key.entity.js';
import { dnskeyOf } from './keys/zone-keys.js';
import { FirstKeys, type SigningRequest } from './keys/first-keys.js';
import { type ParentStatement, ParentStatements } from './parent-statements.js';
import { otherSignerIn } from './rollovers/other-signers.js';
import { type LockedZone, SigningContext } from './signing-context.js';
import { SigningClock } from './signing/signing-clock.js';
import { ZoneUnsigner } from './signing/signing-progress.js';
import { BEFORE_DS, entering, withOtherKeys, type ZoneSigningEntity } from './state/zone-signing.entity.js';
import type { ZoneDnssec } from './zone-dnssec.js';
import { ZoneDeletionGuard } from '../zones/zone-contents.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

export interface EnableRequest extends SigningRequest {
  /** Keeps the state `leaving`: the client sends back a zone as it read it. */
  readonly staysLeaving?: boolean;
}

const PAGE_SIZE = 500;

@Injectable()
export class DnssecService {
  constructor(
    private readonly requests: DnssecRequests,
    private readonly context: SigningContext,
    private readonly firstKeys: FirstKeys,
    private readonly parents: ParentStatements,
    private readonly unsigner: ZoneUnsigner,
    private readonly clock: Clock,
    private readonly signingClock: SigningClock,
  ) {}

  get isAvailable(): boolean {
    return this.firstKeys.isAvailable;
  }

  of(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.of(zoneId, caller);
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `secondary_zone`, `signing_conflict`, `unavailable` */
  async enable(zoneId: string, request: EnableRequest, caller: Caller): Promise<ZoneDnssec> {
    const { zone: found, signing, keys } = await this.of(zoneId, caller);
    if (signing !== null) assertSameKsk(keys, request);
    if (!this.isAvailable && (signing === null || isOtherDenial(signing, request)))
      throw new ServiceError('unavailable', 'This service has no key_encryption_keys and signs no domains.');
    return this.firstKeys.withNew(found, signing === null ? request : null, (spare) =>
      this.requests.lock(zoneId, caller, async (tx, { zone }, row) => {
        assertHasOwnRecords(zone);
        if (row === undefined) {
          const first = await this.firstKeys.begin({ tx, zone, request, now: this.clock.now(), spare });
          await this.noteEnabled({ tx, zone, row: first }, caller);
        } else {
          assertSame(row, request);
          if (request.staysLeaving !== true) await this.stay({ tx, zone, row }, caller);
          await this.changeDenial(tx, zone, request, caller);
        }
        return this.requests.read(tx, zone);
      }),
    );
  }

  signedZones(marker: string): Promise<readonly Pick<ZoneEntity, 'id' | 'name'>[]> {
    return this.context.read((tx) => this.context.signing.zones(tx, marker, PAGE_SIZE));
  }

  /** A page of the zones that are halted, or whose renewal is late by a day. */
  brokenZones(marker: string): Promise<readonly Pick<ZoneEntity, 'id' | 'name'>[]> {
    return this.context.read((tx) => this.context.signing.broken(tx, this.clock.now() - DAY, marker, PAGE_SIZE));
  }

  /** Reverts a `disable` before the parent removed the DS. */
  private async stay(locked: LockedZone, caller: Caller): Promise<void> {
    const { tx, row } = locked;
    if (row.state !== 'leaving') return;
    await this.context.signing.update(tx, entering(row, 'ready', this.clock.now()));
    await this.noteEnabled(locked, caller);
  }

  /** The signer builds the new chain next to the present one, and replaces that in one serial. */
  private async changeDenial(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    request: EnableRequest,
    caller: Caller,
  ): Promise<void> {
    const row = await this.context.signing.lock(tx, zone.id);
    if (row === undefined || !isOtherDenial(row, request)) return;
    const { denial = row.denial } = request;
    await this.context.signing.update(tx, { ...withOtherKeys(row, this.clock.now()), denial, signedVersion: null });
    await this.noteEnabled({ tx, zone, row: { ...row, denial } }, caller);
  }

  private noteEnabled({ tx, zone, row }: LockedZone, caller: Caller): Promise<void> {
    return this.requests.note(tx, caller, 'dnssec.enable', zone, { algorithm: row.algorithm, denial: row.denial });
  }

  /** Removes the signatures: now if no DS can exist, otherwise once the parent has no DS. */
  disable(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.lock(zoneId, caller, async (tx, change, row) => {
      const { zone } = change;
      if (row === undefined || row.state === 'leaving') return this.requests.read(tx, zone);
      await this.requests.note(tx, caller, 'dnssec.disable', zone, {});
      if (BEFORE_DS.has(row.state)) {
        await this.unsigner.take(change, tx);
        return this.requests.read(tx, { ...zone, publishedSerial: null });
      }
      await this.context.assertNoRollover(tx, zone);
      await this.assertOnlySigner(tx, zone);
      await this.context.signing.update(tx, entering(row, 'leaving', this.clock.now()));
      return this.requests.read(tx, zone);
    });
  }

  /** The CDS of an ending asks for no DS at all, but resolvers need that of the other signer. */
  private async assertOnlySigner(tx: Transaction, { id, name }: Readonly<ZoneEntity>): Promise<void> {
    const other = otherSignerIn(await this.context.keys.ofZone(tx, id));
    if (other === null) return;
    throw new ServiceError(
      'signing_conflict',
      `${other} signs ${name} too: let it leave first, or delete the domain here if the other signer keeps it.`,
    );
  }

  /** Records a statement about the DS. A contradicting observation rejects it and schedules a new poll. */
  async noteParent(zoneId: string, statement: ParentStatement, caller: Caller): Promise<ZoneDnssec> {
    await this.signingClock.compare();
    const objections: string[] = [];
    const noted = await this.requests.change(zoneId, caller, async (locked) => {
      const { tx, zone } = locked;
      const now = this.clock.now();
      const objection = await this.parents.objectionTo(locked, statement, now);
      if (objection !== null) {
        objections.push(objection);
        return this.context.signing.lookAtParent(tx, zoneId, now);
      }
      await this.parents.take(locked, statement);
      await this.requests.note(tx, caller, 'dnssec.parent', zone, { ds: statement.hasDs ? 'published' : 'removed' });
    });
    const [objection] = objections;
    if (objection === undefined) return noted;
    throw new ServiceError(
      'signing_conflict',
      `The parent zone does not have that: ${objection}. Zonewright will check again now.`,
    );
  }

  /** Schedules new signatures for the whole zone, and ends a halt. */
  async resign(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    return this.requests.change(zoneId, caller, async ({ tx, zone, row }) => {
      const now = this.clock.now();
      await this.context.signing.update(tx, {
        ...withOtherKeys(row, now),
        signedVersion: null,
        haltedBecause: null,
        runAt: now,
      });
      await this.requests.note(tx, caller, 'dnssec.resign', zone, {});
    });
  }
}

function isOtherDenial({ denial }: ZoneSigningEntity, request: EnableRequest): boolean {
  return request.denial !== undefined && request.denial !== denial;
}

/** A second request for signing does not change the keys: that takes a rollover. */
function assertSame({ algorithm, isSingleKey }: ZoneSigningEntity, request: EnableRequest): void {
  const isSame =
    (request.algorithm ?? algorithm) === algorithm &&
    (request.isSingleKey ?? isSingleKey === 1) === (isSingleKey === 1);
  if (!isSame) throw new ServiceError('signing_conflict', 'The domain is signed already, with other keys.');
}

function assertSameKsk(keys: readonly ZoneKeyEntity[], { offlineKsk }: EnableRequest): void {
  if (offlineKsk === undefined) return;
  const isThere = keys.some((key) => isOffline(key) && Buffer.compare(dnskeyOf(key), offlineKsk) === 0);
  if (!isThere)
    throw new ServiceError(
      'signing_conflict',
      'The domain is signed already, with another KSK: roll the ksk with the DNSKEY of the offline one.',
    );
}

/** The parent zone may have a DS in these states. */
const WITH_DS: ReadonlySet<string> = new Set(['secure', 'leaving']);

/** Rejects the deletion of zones with a DS: validators could not resolve the name afterwards. */
@Injectable()
export class SignedZoneGuard extends ZoneDeletionGuard {
  constructor(private readonly signing: ZoneSigningRepository) {
    super();
  }

  override async assertDeletable(
    tx: Transaction,
    { id, name }: Readonly<ZoneEntity>,
    { deletesSigned, deletesHard }: Caller,
  ): Promise<void> {
    if (deletesSigned === true || deletesHard === true) return;
    const row = await this.signing.find(tx, id);
    if (row === undefined || !WITH_DS.has(row.state)) return;
    throw new ServiceError(
      'signing_conflict',
      `The parent zone has a DS of ${name}, so validation would fail without its keys: end its signing first.`,
    );
  }
}
