import type { DomainName } from '../../dns/name.js';
import type { Question } from '../../dns/message/question.js';
import { type Copy, type PublishedZone, type ZoneAnswer, ZoneSource } from '../transfers/zone-source.js';
import { CATALOG_ID } from './catalog-id.js';

/** All that the name server has: the stored zones, and the catalog zone, which goes before one of the same name. */
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
