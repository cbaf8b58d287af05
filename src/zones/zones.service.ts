import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Clock, type Instant, toUnixSeconds } from '../common/clock.js';
import type { Page } from '../common/page.js';
import { ServiceError } from '../common/service-error.js';
import { timeOrderedUuid } from '../common/uuid.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { DomainName, NameError } from '../dns/name.js';
import { parseDomainName } from '../dns/owner-name.js';
import type { ChangeCompanion } from './zone-batch.js';
import { ZoneChange } from './zone-change.js';
import { JournalRepository } from './journal.repository.js';
import { LastSerialRepository } from './last-serial.repository.js';
import { ZoneChanges } from './zone-changes.js';
import { ZoneContents } from './zone-contents.js';
import { ZoneLimits } from './zone-limits.js';
import { assertMailbox } from './zone-email.js';
import type { NewZone, ZoneUpdate } from './zone-fields.js';
import { ZonePlacement } from './zone-placement.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';
import { assertTtlAllowed } from './minimum-ttl.js';
import { serialAt } from './serial.js';

@Injectable()
export class ZonesService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly journal: JournalRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly reads: Reads,
    private readonly placement: ZonePlacement,
    private readonly limits: ZoneLimits,
    private readonly contents: ZoneContents,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {}

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

  page(caller: Caller, marker: string, limit: number): Promise<Page<ZoneEntity>> {
    return this.zones.page(caller, marker, limit);
  }

  /** Whether the caller sees a zone of that id, or saw it before it was deleted. */
  async knows(id: string, caller: Caller): Promise<boolean> {
    return this.reads.run(async (tx) => {
      const zone = await this.zones.findIn(tx, id);
      return zone === undefined ? this.journal.hasChangeBy(tx, id, caller) : maySee(caller, zone);
    });
  }

  /** @param fill puts something into the new zone, in the same transaction */
  async create(body: NewZone, caller: Caller, { fill, draft, companion, on }: CreateOptions = {}): Promise<ZoneEntity> {
    const name = readZoneName(body.name);
    assertMailbox(body.email);
    assertTtlAllowed(body.ttl, this.options.minTtl, caller);
    const create = async (tx: Transaction): Promise<ZoneChange> => {
      // Held first: what is judged here stays true until the zone is there, whatever other processes do.
      await this.zones.lockTree(tx);
      const fresh = await this.freshZone(tx, body, { name, caller, madeAt: draft?.createdAt ?? this.clock.now() });
      await companion?.load?.(tx);
      companion?.admit?.(fresh);
      await this.placement.assertAllowed(tx, name, caller);
      const count = await this.zones.zoneCountOf(tx, caller.tenantId);
      await this.limits.assertZoneAllowed(tx, caller.tenantId, count + 1);
      await this.zones.assertNew(tx, fresh);
      const change = await this.begin(tx, fresh, caller);
      await this.zones.insert(tx, change.zone);
      await this.zones.countForTenant(tx, caller.tenantId, 1);
      await fill?.(change, tx);
      await companion?.write?.(tx, { value: change.zoneAfter });
      return change;
    };
    const { zoneAfter } = await this.changes.creating(caller, create, {
      isLong: fill !== undefined,
      ...(on && { on }),
    });
    return zoneAfter;
  }

  /** @param expect what the zone has to be; it is asked inside the change */
  update(id: string, body: ZoneUpdate, caller: Caller, expect?: ZoneExpectation): Promise<ZoneEntity> {
    if (body.email !== undefined) assertMailbox(body.email);
    assertTtlAllowed(body.ttl, this.options.minTtl, caller);
    return this.changes.in(id, caller, async (change, tx) => {
      const before = change.zone;
      expect?.(before);
      assertSameName(before, body.name);
      const { email = before.email, ttl = before.ttl, description = before.description } = body;
      const isChanged = email !== before.email || ttl !== before.ttl || description !== before.description;
      const serial = isChanged ? change.serial : before.serial;
      const after: ZoneEntity = { ...before, email, ttl, description, serial, updatedAt: change.nextInstant() };
      await this.zones.update(tx, after);
      if (isChanged) change.note('zone.update', { before: snapshotOf(before), after: snapshotOf(after) });
      const { version, changedAt } = change.zoneAfter;
      return { ...after, version, changedAt };
    });
  }

  /** Removes the zone with its records; its journal stays. */
  delete(id: string, caller: Caller, expect?: ZoneExpectation): Promise<void> {
    const remove = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      const { zone } = change;
      expect?.(zone);
      if (await this.zones.hasZoneBelow(tx, zone.nameKey))
        throw new ServiceError('zone_has_child_zones', `Delete the zones inside ${zone.name} first.`);
      await this.contents.deleteAll(tx, zone.id);
      change.note('zone.delete', { before: snapshotOf(zone), after: null });
      await this.lastSerials.remember(tx, zone.nameKey, change.serial);
      await this.zones.delete(tx, zone.id);
      await this.zones.countForTenant(tx, zone.tenantId, -1);
    };
    return this.changes.in(id, caller, remove, { isLong: true });
  }

  private async freshZone(tx: Transaction, body: NewZone, { name, caller, madeAt }: Making): Promise<ZoneEntity> {
    // Lists are in the order of creation, also after the clock went back.
    const createdAt = Math.max(madeAt, (await this.zones.latestCreation(tx)) + 1);
    return this.draft(body, { name, caller, madeAt: this.clock.now() }, createdAt);
  }

  /**
   * A zone as `create` would make it; nothing of it is stored.
   * @throws ServiceError `invalid_object` for its name
   */
  drafted(body: NewZone, caller: Caller): ZoneEntity {
    const madeAt = this.clock.now();
    return this.draft(body, { name: readZoneName(body.name), caller, madeAt }, madeAt);
  }

  private draft(body: NewZone, { name, caller, madeAt }: Making, createdAt: Instant): ZoneEntity {
    return {
      id: timeOrderedUuid(createdAt),
      tenantId: caller.tenantId,
      name: body.name,
      nameKey: name.key,
      email: body.email,
      ttl: body.ttl ?? this.options.defaultTtl,
      description: body.description ?? null,
      // One behind the time, which making the zone then gives it.
      serial: serialAt(toUnixSeconds(madeAt) - 1),
      version: 0,
      recordCount: 0,
      recordSetCount: 0,
      generation: JSON.stringify(this.options.generation),
      changedAt: createdAt,
      createdAt,
      updatedAt: null,
    };
  }

  /** Begins the first change of a zone, above the serial that its name had last (behaviour 12.3). */
  private async begin(tx: Transaction, fresh: ZoneEntity, caller: Caller): Promise<ZoneChange> {
    const serial = (await this.lastSerials.of(tx, fresh.nameKey)) ?? fresh.serial;
    const change = new ZoneChange({ ...fresh, serial }, caller, this.clock.now());
    change.note('zone.create', { before: null, after: snapshotOf({ ...fresh, serial: change.serial }) });
    return change;
  }
}

/** @throws ServiceError for a zone that is not what the caller takes it for */
type ZoneExpectation = (zone: Readonly<ZoneEntity>) => void;

interface Making {
  readonly name: DomainName;
  readonly caller: Caller;
  readonly madeAt: Instant;
}

interface CreateOptions {
  readonly fill?: FillZone;
  /** What `fill` was prepared with: the zone is no younger than what is put into it. */
  readonly draft?: Readonly<ZoneEntity>;
  readonly companion?: ChangeCompanion<ZoneEntity> | null;
  /** The connection on which `fill` was prepared. */
  readonly on?: Transaction;
}

/** Puts something into a zone while it is made. */
type FillZone = (change: ZoneChange, tx: Transaction) => Promise<void>;

/** @throws ServiceError `invalid_object` */
function readZoneName(text: string): DomainName {
  try {
    return parseDomainName(text);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw ServiceError.ofField('invalid_object', 'name', 'format', `name: ${error.message}.`);
  }
}

/** The name sent back as it was fetched is no renaming, whatever its case. */
function assertSameName(zone: ZoneEntity, name: string | undefined): void {
  if (name === undefined || name.toLowerCase() === zone.name.toLowerCase()) return;
  throw ServiceError.ofField('change_not_allowed', 'name', 'enum', `The name cannot change; create ${name} instead.`);
}
