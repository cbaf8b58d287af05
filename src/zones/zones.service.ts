import { Injectable } from '@nestjs/common';
import { assertMayChangeZone, assertMayNameMasters, maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import type { Page } from '../common/page.js';
import { readField } from '../common/read-field.js';
import { ServiceError } from '../common/service-error.js';
import { canonicalUuid } from '../common/uuid.js';
import { Reads } from '../database/reads.js';
import { Superseded } from '../database/database-failure.js';
import { withoutKeepingLocks } from '../database/locks.js';
import type { Transaction } from '../database/transaction.js';
import { DomainName, NameError } from '../dns/name.js';
import { parseDomainName } from '../dns/owner-name.js';
import type { ChangeCompanion } from './change-companion.js';
import { CompanionGuard } from './companion-guard.js';
import { ZoneChange } from './zone-change.js';
import { JournalRepository } from './journal.repository.js';
import { LastSerialRepository } from './last-serial.repository.js';
import { ZoneChanges } from './zone-changes.js';
import { AllowedMasters } from './allowed-masters.js';
import { assertMasters } from './masters.js';
import { TransferInRepository } from './transfer-in.repository.js';
import { ZoneContents } from './zone-contents.js';
import { ZoneLimits } from './zone-limits.js';
import { assertMailbox } from './zone-email.js';
import type { NewSecondaryZone, NewZone, ZoneUpdate } from './zone-fields.js';
import { attributesColumn, draftZone, type Making } from './zone-draft.js';
import { ZoneNameRules } from './zone-name-rules.js';
import { ZonePlacement } from './zone-placement.js';
import { ZonePublication } from './zone-publication.js';
import { ZoneShareRepository } from './zone-share.repository.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';
import { assertTtlAllowed } from './minimum-ttl.js';

/** A zone of more is deleted in a time that nobody else should wait. */
const MANY_RECORDS = 1000;

/** Zones, on behalf of a caller: what it may not see is not there for it. */
@Injectable()
export class ZonesService {
  private readonly allowedMasters: AllowedMasters;

  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly journal: JournalRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly reads: Reads,
    private readonly transfersIn: TransferInRepository,
    private readonly shares: ZoneShareRepository,
    private readonly nameRules: ZoneNameRules,
    private readonly placement: ZonePlacement,
    private readonly limits: ZoneLimits,
    private readonly contents: ZoneContents,
    private readonly publication: ZonePublication,
    private readonly clock: Clock,
    private readonly guard: CompanionGuard,
    private readonly options: ZonesOptions,
  ) {
    this.allowedMasters = new AllowedMasters(options.masters);
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
  async create(body: NewZone | NewSecondaryZone, caller: Caller, options: CreateOptions = {}): Promise<ZoneEntity> {
    const { fill, draft, companion: unguarded = null, on } = options;
    const companion = unguarded && this.guard.around(unguarded, caller);
    const name = readZoneName(body.name);
    const made = { tenantId: caller.tenantId, nameKey: name.key };
    if ('masters' in body) assertMayNameMasters(caller, made);
    else assertMayChangeZone(caller, 'create', made);
    this.assertFields(body, caller);
    const making: Making = { name, caller, madeAt: draft?.createdAt ?? this.clock.now() };
    const make = async (tx: Transaction): Promise<ZoneChange> => {
      // Held first: what is judged here stays true until the zone is there, whatever other processes do.
      await this.zones.lockTree(tx);
      const fresh = await this.freshZone(tx, body, making);
      await companion?.load?.(tx, fresh);
      companion?.admit?.(fresh);
      await this.assertMayBe(tx, fresh, making);
      const change = await this.begin(tx, fresh, caller);
      await this.insert(tx, change.zone);
      return change;
    };
    const create = async (tx: Transaction): Promise<ZoneChange> => {
      const change = fill === undefined ? await make(tx) : await this.makeFilled(tx, body, making, companion, fill);
      await companion?.write?.(tx, { value: change.zoneAfter });
      return change;
    };
    const { zoneAfter } = await this.changes.creating(caller, create, {
      isLong: fill !== undefined,
      ...(on && { on }),
    });
    return zoneAfter;
  }

  /**
   * Fills a zone before it is there, which takes as long as its records do, and only then holds the tree of names. Judged before,
   * a zone that may not be made costs nothing; judged again, it is held against what has come meanwhile.
   */
  private async makeFilled(
    tx: Transaction,
    body: NewZone | NewSecondaryZone,
    making: Making,
    companion: ChangeCompanion<ZoneEntity> | null,
    fill: FillZone,
  ): Promise<ZoneChange> {
    const fresh = await this.freshZone(tx, body, making);
    await companion?.load?.(tx, fresh);
    companion?.admit?.(fresh);
    const judge = async (): Promise<void> => {
      await this.zones.lockTree(tx);
      await this.assertMayBe(tx, fresh, making);
    };
    await withoutKeepingLocks(tx, judge);
    const below = await this.zones.stateBelow(tx, fresh.nameKey);
    const change = await this.begin(tx, fresh, making.caller);
    await fill(change, tx);
    await judge();
    const isOther =
      (await this.zones.stateBelow(tx, fresh.nameKey)) !== below ||
      (await this.serialOf(tx, fresh)) !== change.zone.serial;
    if (isOther) throw new Superseded(`what was around ${fresh.name} has changed while it was filled`);
    await this.insert(tx, change.zone);
    return change;
  }

  /** @throws ServiceError where the zone may not be made */
  private async assertMayBe(tx: Transaction, fresh: Readonly<ZoneEntity>, { name, caller }: Making): Promise<void> {
    await this.nameRules.assertAllowed(tx, name, caller);
    await this.placement.assertAllowed(tx, name, caller);
    const count = await this.zones.zoneCountOf(tx, caller.tenantId);
    await this.limits.assertZoneAllowed(tx, caller.tenantId, count + 1);
    await this.zones.assertNew(tx, fresh);
  }

  /** @param expect what the zone has to be; it is asked inside the change */
  update(id: string, body: ZoneUpdate, caller: Caller, expect?: ZoneExpectation): Promise<ZoneEntity> {
    if (body.email !== undefined) assertMailbox(body.email);
    if (body.masters !== undefined) assertMasters(body.masters, this.allowedMasters);
    assertTtlAllowed(body.ttl, this.options.minTtl, caller);
    const amend = async (change: ZoneChange, tx: Transaction): Promise<ZoneEntity> => {
      const before = change.zone;
      expect?.(before);
      assertSameName(before, body.name);
      assertFieldsOfType(before, body);
      const fields = updatedFields(before, body);
      if (fields.masters !== before.masters) assertMayNameMasters(caller, before);
      const isChanged = !isSame(before, fields);
      const serial = isChanged ? change.serial : before.serial;
      const after: ZoneEntity = { ...before, ...fields, serial, updatedAt: change.nextInstant() };
      await this.zones.update(tx, after);
      if (after.masters !== before.masters) await this.transfersIn.askAt(tx, id, this.clock.now());
      if (isChanged) change.note('zone.update', { before: snapshotOf(before), after: snapshotOf(after) });
      const { version, changedAt } = change.zoneAfter;
      return { ...after, version, changedAt };
    };
    return this.changes.in(id, caller, amend, { does: 'update' });
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
      if (await this.zones.hasZoneBelow(tx, zone.nameKey))
        throw new ServiceError('zone_has_child_zones', `Delete the zones inside ${zone.name} first.`);
      if (caller.deletesShares !== true && (await this.shares.isShared(tx, zone.id)))
        throw new ServiceError('zone_is_shared', `${zone.name} is shared with other projects; end that first.`);
      await this.contents.deleteAll(tx, zone.id);
      change.note('zone.delete', { before: snapshotOf(zone), after: null });
      await this.lastSerials.remember(tx, zone.nameKey, change.serial);
      await this.transfersIn.delete(tx, zone.id);
      await this.shares.deleteOfZone(tx, zone.id);
      await this.zones.delete(tx, zone.id);
      await this.zones.countForTenant(tx, zone.tenantId, -1);
      return zone;
    };
    const { recordCount } = await this.zones.find(id, caller);
    return this.changes.in(id, caller, remove, { isLong: recordCount > MANY_RECORDS, does: 'delete' });
  }

  /**
   * Has the masters of a secondary zone asked for a later serial, soon.
   * @throws ServiceError `zone_not_found`, `change_not_allowed` for a primary zone
   * @internal
   */
  askMasters(id: string, caller: Caller): Promise<void> {
    return this.changes.in(id, caller, async ({ zone }, tx) => {
      if (zone.type === 'PRIMARY')
        throw new ServiceError('change_not_allowed', `${zone.name} is a PRIMARY zone: it has no masters.`);
      await this.transfersIn.askAt(tx, id, this.clock.now());
    });
  }

  /** What can be said of a new zone without looking at any other. */
  private assertFields(body: NewZone | NewSecondaryZone, caller: Caller): void {
    if (!('masters' in body)) {
      assertMailbox(body.email);
      assertTtlAllowed(body.ttl, this.options.minTtl, caller);
      return;
    }
    assertMasters(body.masters, this.allowedMasters);
    if (this.options.takesSecondaryZones) return;
    const message =
      'This service hands zones to no name servers, so it takes no SECONDARY zones: create a PRIMARY one.';
    throw ServiceError.ofField('invalid_object', 'type', 'enum', message);
  }

  /** A secondary zone asks its masters at once. */
  private async insert(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    await this.zones.insert(tx, zone);
    await this.zones.countForTenant(tx, zone.tenantId, 1);
    if (zone.type === 'SECONDARY') await this.transfersIn.askAt(tx, zone.id, zone.createdAt);
  }

  private async freshZone(
    tx: Transaction,
    body: NewZone | NewSecondaryZone,
    { name, caller, madeAt }: Making,
  ): Promise<ZoneEntity> {
    // Lists are in the order of creation, also after the clock went back.
    const createdAt = Math.max(madeAt, (await this.zones.latestCreation(tx)) + 1);
    return draftZone(body, { name, caller, madeAt: this.clock.now() }, createdAt, this.options);
  }

  /**
   * A zone as `create` would make it; nothing of it is stored.
   * @throws ServiceError `invalid_object` for its name
   * @internal
   */
  drafted(body: NewZone, caller: Caller): ZoneEntity {
    const madeAt = this.clock.now();
    return draftZone(body, { name: readZoneName(body.name), caller, madeAt }, madeAt, this.options);
  }

  /** The one that a zone of that name had last, or its own. */
  private async serialOf(tx: Transaction, fresh: Readonly<ZoneEntity>): Promise<number> {
    const last = fresh.type === 'PRIMARY' ? await this.lastSerials.of(tx, fresh.nameKey) : null;
    return last ?? fresh.serial;
  }

  /** Begins the first change of a zone, above the serial that its name had last (behaviour 12.3). */
  private async begin(tx: Transaction, fresh: ZoneEntity, caller: Caller): Promise<ZoneChange> {
    const serial = await this.serialOf(tx, fresh);
    const change = new ZoneChange({ ...fresh, serial }, caller, this.clock.now());
    change.note('zone.create', { before: null, after: snapshotOf({ ...fresh, serial: change.serial }) });
    return change;
  }
}

/** Throws when the zone is not as its caller believes it to be. */
export type ZoneExpectation = (zone: Readonly<ZoneEntity>) => void;

/** What happens together with the creation of a zone. */
export interface CreateOptions {
  /**
   * Puts something into the new zone, in the same transaction.
   * @internal
   */
  readonly fill?: FillZone;
  /**
   * What `fill` was prepared with: the zone is no younger than what is put into it.
   * @internal
   */
  readonly draft?: Readonly<ZoneEntity>;
  readonly companion?: ChangeCompanion<ZoneEntity> | null;
  /**
   * The connection on which `fill` was prepared.
   * @internal
   */
  readonly on?: Transaction;
}

/** Puts something into a zone while it is made. */
type FillZone = (change: ZoneChange, tx: Transaction) => Promise<void>;

/** @throws ServiceError `invalid_object` */
function readZoneName(text: string): DomainName {
  return readField('name', NameError, () => parseDomainName(text));
}

/** @throws ServiceError `invalid_object` for what only zones of the other type have; what is sent back as it was is fine */
function assertFieldsOfType(before: ZoneEntity, { email, ttl, masters }: ZoneUpdate): void {
  const isPrimary = before.type === 'PRIMARY';
  const foreign = [
    ...(isPrimary && masters !== undefined ? ['masters'] : []),
    ...(!isPrimary && email !== undefined && email !== before.email ? ['email'] : []),
    ...(!isPrimary && ttl !== undefined && ttl !== before.ttl ? ['ttl'] : []),
  ];
  if (foreign.length === 0) return;
  const faults = foreign.map((path) => ({
    path,
    validator: 'additionalProperties' as const,
    message: `${path} cannot be set of a ${before.type} zone.`,
  }));
  throw ServiceError.ofFields('invalid_object', faults);
}

type UpdatedFields = Pick<ZoneEntity, 'email' | 'ttl' | 'description' | 'masters' | 'attributes'>;

function updatedFields(before: ZoneEntity, body: ZoneUpdate): UpdatedFields {
  const { email = before.email, ttl = before.ttl, description = before.description } = body;
  const masters = body.masters === undefined ? before.masters : JSON.stringify(body.masters);
  const attributes = body.attributes === undefined ? before.attributes : attributesColumn(body.attributes);
  return { email, ttl, description, masters, attributes };
}

function isSame(before: ZoneEntity, fields: UpdatedFields): boolean {
  return Object.entries(fields).every(([field, value]) => before[field as keyof UpdatedFields] === value);
}

/** The name sent back as it was fetched is no renaming, whatever its case. */
function assertSameName(zone: ZoneEntity, name: string | undefined): void {
  if (name === undefined || name.toLowerCase() === zone.name.toLowerCase()) return;
  throw ServiceError.ofField('change_not_allowed', 'name', 'enum', `The name cannot change; create ${name} instead.`);
}
