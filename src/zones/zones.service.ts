import { Injectable } from '@nestjs/common';
import { assertMayNameMasters, maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import type { Page } from '../common/page.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { canonicalUuid } from '../common/uuid.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { assertApexNs } from './apex-ns.js';
import { JournalRepository } from './journal/journal.repository.js';
import { LastSerialRepository } from './serials/last-serial.repository.js';
import { ZoneChanges } from './changes/zone-changes.js';
import { AllowedPrimaries } from './primaries/allowed-primaries.js';
import { assertPrimaries } from './primaries/primaries.js';
import { InboundTransferRepository } from './primaries/inbound-transfer.repository.js';
import { ZoneContents } from './zone-contents.js';
import { ZoneDeletionGuard } from './zone-deletion-guard.js';
import { assertFieldsOfType, assertSameName, isSame, updatedFields } from './zone-amendment.js';
import type { ZoneChange } from './changes/zone-change.js';
import { assertMailbox } from './zone-email.js';
import type { NewSecondaryZone, NewZone, ZoneUpdate } from './zone-fields.js';
import { type CreateOptions, ZoneCreator } from './zone-creator.js';
import { readZoneName } from './names/zone-name.js';
import { ZonePublication } from './zone-publication.js';
import { ZoneShareRepository } from './sharing/zone-share.repository.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import type { SummaryPage } from './lists/zone-summaries.js';
import { ZonesOptions } from './zones.options.js';
import { assertTtlAllowed } from './minimum-ttl.js';

/** A zone of more is deleted in a time that nobody else should wait. */
const MANY_RECORDS = 1000;

/** Zones, on behalf of a caller: what it may not see is not there for it. */
@Injectable()
export class ZonesService {
  private readonly allowedMasters: AllowedPrimaries;

  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly creation: ZoneCreator,
    private readonly changes: ZoneChanges,
    private readonly journal: JournalRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly reads: Reads,
    private readonly transfersIn: InboundTransferRepository,
    private readonly shares: ZoneShareRepository,
    private readonly contents: ZoneContents,
    private readonly deletionGuard: ZoneDeletionGuard,
    private readonly publication: ZonePublication,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {
    this.allowedMasters = new AllowedPrimaries(options.masters);
  }

  get nameServers(): readonly string[] {
    return this.options.generation.nameServers;
  }

  get(id: string, caller: Caller): Promise<ZoneEntity> {
    return this.zones.find(id, caller);
  }

  /** The zone of that name, `null` when there is none that the caller sees. */
  findByName(name: string, caller: Caller): Promise<ZoneEntity | null> {
    return this.zones.findByKey(readZoneName(name).key, caller);
  }

  /**
   * Those of the zones that are not there, or not the tenant's.
   * @param zones ids in canonical form, and names in lower case
   * @internal
   */
  async unknownTo(tenantId: string, zones: readonly string[]): Promise<string[]> {
    const isId = (text: string): boolean => canonicalUuid(text) !== null;
    const found = await this.reads.run(async (tx) => [
      ...(await this.zones.findAllIn(tx, zones.filter(isId))),
      ...(await this.zones.findAllNamedIn(
        tx,
        zones.filter((text) => !isId(text)),
      )),
    ]);
    const own = found.filter((zone) => zone.tenantId === tenantId);
    const known = new Set(own.flatMap(({ id, name }) => [id, name.toLowerCase()]));
    return zones.filter((text) => !known.has(text));
  }

  page(caller: Caller, marker: string, limit: number): Promise<Page<ZoneEntity>> {
    return this.zones.page(caller, marker, limit);
  }

  /**
   * The same with less of each, for lists of all zones at once.
   * @internal
   */
  summaries(caller: Caller, marker: string, limit: number): Promise<SummaryPage> {
    return this.zones.summaries(caller, marker, limit);
  }

  /** The same with no other zone than the one of that name. */
  async pageOfName(name: string, caller: Caller, marker: string): Promise<Page<ZoneEntity>> {
    const zone = await this.findByName(name, caller);
    return { entries: zone !== null && zone.id > marker ? [zone] : [], isLast: true };
  }

  /** Whether the caller sees a zone of that id, or saw it before it was deleted. */
  async knows(id: string, caller: Caller): Promise<boolean> {
    return this.reads.run(async (tx) => {
      const zone = await this.zones.findIn(tx, id);
      return zone === undefined ? this.journal.hasChangeBy(tx, id, caller) : maySee(caller, zone);
    });
  }

  /** @throws ServiceError, such as `duplicate_zone`, `invalid_object` and `over_quota` */
  create(body: NewZone | NewSecondaryZone, caller: Caller, options: CreateOptions = {}): Promise<ZoneEntity> {
    return this.creation.create(body, caller, options);
  }

  /** @param expect what the zone has to be; it is asked inside the change */
  update(id: string, body: ZoneUpdate, caller: Caller, expect?: ZoneExpectation): Promise<ZoneEntity> {
    const amend = async (change: ZoneChange, tx: Transaction): Promise<ZoneEntity> => {
      const before = change.zone;
      expect?.(before);
      assertSameName(before, body.name);
      assertFieldsOfType(before, body);
      this.assertNewValues(before, body, caller);
      const fields = updatedFields(before, body);
      // Behaviour 1.15.
      if (isSame(before, fields) && (body.setsUpdatedAt !== true || before.updatedAt !== null)) return before;
      if (fields.masters !== before.masters) assertMayNameMasters(caller, before);
      const isChanged = !isSame(before, { ...fields, keptFields: before.keptFields });
      const serial = isChanged ? change.serial : before.serial;
      const after: ZoneEntity = { ...before, ...fields, serial, updatedAt: change.nextInstant() };
      await this.zones.update(tx, after);
      if (after.masters !== before.masters) await this.transfersIn.askAt(tx, id, this.clock.now());
      if (isChanged) change.record('zone.update', { before: snapshotOf(before), after: snapshotOf(after) });
      const { version, changedAt } = change.zoneAfter;
      return { ...after, version, changedAt };
    };
    return this.changes.withZoneLock(id, caller, amend, { does: 'update' });
  }

  /** What is sent back as it was read is fine, whoever has set it, and whatever has become of the rules since. */
  private assertNewValues(before: ZoneEntity, { email, masters, apexNs, ttl }: ZoneUpdate, caller: Caller): void {
    if (email !== undefined && email !== before.email) assertMailbox(email);
    if (masters !== undefined && JSON.stringify(masters) !== (before.masters ?? '[]'))
      assertPrimaries(masters, this.allowedMasters);
    if (apexNs) assertApexNs(apexNs);
    if (ttl !== before.ttl) assertTtlAllowed(ttl, this.options.minTtl, caller);
  }

  /** Removes the zone with its records; its journal stays. Returns the zone that was. */
  delete(id: string, caller: Caller, expect?: ZoneExpectation): Promise<Readonly<ZoneEntity>> {
    return this.remove(id, caller, async (zone) => expect?.(zone));
  }

  /**
   * The same, while name servers keep the copy that they have (behaviour 13.7).
   * @internal
   */
  async abandon(id: string, caller: Caller): Promise<void> {
    await this.remove(id, caller, (zone, tx) => this.publication.abandon(tx, zone.id));
  }

  private async remove(
    id: string,
    caller: Caller,
    prepare: (zone: Readonly<ZoneEntity>, tx: Transaction) => Promise<void>,
  ): Promise<Readonly<ZoneEntity>> {
    const remove = async (change: ZoneChange, tx: Transaction): Promise<Readonly<ZoneEntity>> => {
      const { zone } = change;
      await prepare(zone, tx);
      await this.deletionGuard.assertDeletable(tx, zone, caller);
      // Every zone is below the root, and none depends on it.
      if (zone.nameKey !== '' && (await this.zones.hasZoneBelow(tx, zone.nameKey)))
        throw ServiceError.because(
          'zone_has_child_zones',
          because('domain_has_child_domains', { domain: zone.name }),
          `Delete the zones inside ${zone.name} first.`,
        );
      if (caller.deletesShares !== true && (await this.shares.isShared(tx, zone.id)))
        throw ServiceError.because(
          'zone_is_shared',
          because('domain_is_shared', { domain: zone.name }),
          `${zone.name} is shared with other projects; end the shares first.`,
        );
      await this.contents.deleteAll(tx, zone.id);
      change.record('zone.delete', { before: snapshotOf(zone), after: null });
      await this.lastSerials.remember(tx, zone.nameKey, change.serial);
      await this.transfersIn.delete(tx, zone.id);
      await this.shares.deleteOfZone(tx, zone.id);
      await this.zones.delete(tx, zone.id);
      await this.zones.countForTenant(tx, zone.tenantId, -1);
      return zone;
    };
    const { recordCount } = await this.zones.find(id, caller);
    return this.changes.withZoneLock(id, caller, remove, { isLong: recordCount > MANY_RECORDS, does: 'delete' });
  }

  /**
   * Has the masters of a secondary zone asked for a later serial, soon.
   * @throws ServiceError `zone_not_found`, `change_not_allowed` for a primary zone
   * @internal
   */
  askMasters(id: string, caller: Caller): Promise<void> {
    return this.changes.withZoneLock(id, caller, async ({ zone }, tx) => {
      if (zone.type === 'PRIMARY')
        throw new ServiceError('change_not_allowed', `${zone.name} is a PRIMARY zone: it has no masters.`);
      await this.transfersIn.askAt(tx, id, this.clock.now());
    });
  }
}

/** Throws when the zone is not as its caller believes it to be. */
export type ZoneExpectation = (zone: Readonly<ZoneEntity>) => void;
