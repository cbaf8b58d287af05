import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Page } from '../common/collection-query.js';
import { canonicalUuid } from '../common/uuid.js';
import { Reads } from '../database/reads.js';
import { JournalRepository } from './journal/journal.repository.js';
import { type NewSecondaryZone, type NewZone, readZoneName, type ZoneUpdate } from './zone-fields.js';
import { type CreateOptions, ZoneCreator } from './zone-creator.js';
import { ZoneDeleter } from './zone-deleter.js';
import { type ZoneExpectation, ZoneUpdater } from './zone-updater.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import type { SummaryPage } from './lists/zone-summaries.js';
import { ZonesOptions } from './zones.options.js';

/** Zones, for a caller: a zone that the caller may not see does not exist for it. */
@Injectable()
export class ZonesService {
  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly creation: ZoneCreator,
    private readonly updater: ZoneUpdater,
    private readonly deleter: ZoneDeleter,
    private readonly journal: JournalRepository,
    private readonly reads: Reads,
    private readonly options: ZonesOptions,
  ) {}

  get nameServers(): readonly string[] {
    return this.options.generation.nameServers;
  }

  get(id: string, caller: Caller): Promise<ZoneEntity> {
    return this.zones.find(id, caller);
  }

  /** `null` if the caller cannot see such a zone. */
  findByName(name: string, caller: Caller): Promise<ZoneEntity | null> {
    return this.zones.findByKey(readZoneName(name).key, caller);
  }

  /** The visible zones among these names. @internal */
  async namedAmong(names: readonly string[], caller: Caller): Promise<ZoneEntity[]> {
    const found = await this.reads.run((tx) => this.zones.findAllNamedIn(tx, names));
    return found.filter((zone) => maySee(caller, zone));
  }

  /** Zones that do not exist or belong to another tenant. `zones` has ids and lower-case names. @internal */
  async unknownTo(tenantId: string, zones: readonly string[]): Promise<string[]> {
    const isId = (text: string): boolean => canonicalUuid(text) !== null;
    const names = zones.filter((text) => !isId(text));
    const found = await this.reads.run(async (tx) => [
      ...(await this.zones.findAllIn(tx, zones.filter(isId))),
      ...(await this.zones.findAllNamedIn(tx, names)),
    ]);
    const own = found.filter((zone) => zone.tenantId === tenantId);
    const known = new Set(own.flatMap(({ id, name }) => [id, name.toLowerCase()]));
    return zones.filter((text) => !known.has(text));
  }

  page(caller: Caller, marker: string, limit: number): Promise<Page<ZoneEntity>> {
    return this.zones.page(caller, marker, limit);
  }

  /** Pages with fewer fields, for lists of all zones. @internal */
  summaries(caller: Caller, marker: string, limit: number): Promise<SummaryPage> {
    return this.zones.summaries(caller, marker, limit);
  }

  /** A page with at most the zone of that name. */
  async pageOfName(name: string, caller: Caller, marker: string): Promise<Page<ZoneEntity>> {
    const zone = await this.findByName(name, caller);
    return { entries: zone !== null && zone.id > marker ? [zone] : [], isLast: true };
  }

  /** Whether the caller sees the zone, or saw it before it was deleted. */
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

  /** @param expect condition on the zone, checked inside the change */
  update(id: string, body: ZoneUpdate, caller: Caller, expect?: ZoneExpectation): Promise<ZoneEntity> {
    return this.updater.update(id, body, caller, expect);
  }

  /** Schedules an SOA query to the primaries of a secondary zone. @internal */
  askMasters(id: string, caller: Caller): Promise<void> {
    return this.updater.askMasters(id, caller);
  }

  /** Removes the zone with its records; its journal stays. Returns the deleted zone. */
  delete(id: string, caller: Caller, expect?: ZoneExpectation): Promise<Readonly<ZoneEntity>> {
    return this.deleter.delete(id, caller, expect);
  }

  /** Deletes the zone, but leaves its copies on the name servers (behaviour 13.7). @internal */
  async abandon(id: string, caller: Caller): Promise<void> {
    await this.deleter.abandon(id, caller);
  }
}
