import { Injectable } from '@nestjs/common';
import { DomainName } from '../../dns/name.js';
import { PublishingOptions } from '../publishing.options.js';
import { copyOf } from '../transfers/cached-transfer.js';
import { ZoneCopies } from '../transfers/zone-copies.js';
import { type Copy, type PublishedZone, ZoneSource } from '../transfers/zone-source.js';
import { CATALOG_ID } from './catalog-id.js';
import { CATALOG_TTL, catalogSoa } from './catalog-records.js';
import { CatalogRendering } from './catalog-rendering.js';
import { CatalogRepository } from './catalog.repository.js';

/** The catalog zone of the pool (RFC 9432, version 2), made from its members when it is asked for. */
@Injectable()
export class CatalogZone extends ZoneSource {
  private readonly name: DomainName | null;

  constructor(
    private readonly catalogs: CatalogRepository,
    private readonly rendering: CatalogRendering,
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
    // It is kept for nobody else.
    difference.giveUp();
    return copyOf(difference.use(() => undefined));
  }
  /** RFC 9432 §4: nothing in it is looked up. */
  override query(): Promise<null> {
    return Promise.resolve(null);
  }
}
