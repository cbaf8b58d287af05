import { Injectable } from '@nestjs/common';
import { DomainName } from '../../dns/name.js';
import { PublishingOptions } from '../publishing.options.js';
import { copyOf } from '../transfers/copy-spool.js';
import { ZoneCopies } from '../transfers/zone-copies.js';
import { type Copy, type PublishedZone, ZoneSource, type ZoneAnswer } from '../transfers/zone-source.js';
import { CATALOG_ID } from './catalog.entity.js';
import { CATALOG_TTL, catalogSoa, CatalogRenderer } from './catalog-renderer.js';
import { CatalogRepository } from './catalog.repository.js';
import type { Question } from '../../dns/message/message.js';

/** The catalog zone of the pool (RFC 9432, version 2), rendered from its members on demand. */
@Injectable()
export class CatalogZone extends ZoneSource {
  private readonly name: DomainName | null;

  constructor(
    private readonly catalogs: CatalogRepository,
    private readonly rendering: CatalogRenderer,
    private readonly copies: ZoneCopies,
    { catalog }: PublishingOptions,
  ) {
    super();
    this.name = catalog === null ? null : DomainName.parse(catalog.name);
  }

  override async find(name: DomainName): Promise<PublishedZone | null> {
    if (this.name === null || !name.isWithin(this.name)) return null;
    const catalog = await this.catalogs.find();
    if (catalog === null) return null;
    const { serial } = catalog;
    return { id: CATALOG_ID, name: this.name, serial, soa: catalogSoa(serial), ttl: CATALOG_TTL };
  }

  override axfr(zone: PublishedZone, gone: AbortSignal): Promise<Copy> {
    return this.copies.find(zone, gone, (unwanted) => this.rendering.whole(zone.name, unwanted));
  }

  override async ixfr({ name }: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null> {
    const difference = await this.rendering.since(name, serial, gone);
    if (difference === null) return null;
    // The difference is not cached.
    difference.giveUp();
    return copyOf(difference.use(() => undefined));
  }
  override query(): Promise<null> {
    return Promise.resolve(null);
  }
}

export class JoinedZones extends ZoneSource {
  constructor(
    private readonly catalog: ZoneSource,
    private readonly stored: ZoneSource,
  ) {
    super();
  }

  override async find(name: DomainName): Promise<PublishedZone | null> {
    return (await this.catalog.find(name)) ?? this.stored.find(name);
  }

  override axfr(zone: PublishedZone, gone: AbortSignal): Promise<Copy> {
    return this.sourceOf(zone).axfr(zone, gone);
  }

  override ixfr(zone: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null> {
    return this.sourceOf(zone).ixfr(zone, serial, gone);
  }

  override query(zone: PublishedZone, question: Question): Promise<ZoneAnswer | null> {
    return this.sourceOf(zone).query(zone, question);
  }

  private sourceOf({ id }: PublishedZone): ZoneSource {
    return id === CATALOG_ID ? this.catalog : this.stored;
  }
}
