import { Injectable } from '@nestjs/common';
import type { DomainName } from '../../dns/name.js';
import type { Question } from '../../dns/message/message.js';
import { ZoneCopies, ZoneDifferences } from './zone-copies.js';
import { SignedZones } from './signed-zones.js';
import { ZoneFinder } from './zone-finder.js';
import { ZoneRecords } from './zone-records.js';
import { type Copy, type PublishedZone, type ZoneAnswer, ZoneSource } from './zone-source.js';

@Injectable()
export class StoredZones extends ZoneSource {
  constructor(
    private readonly finder: ZoneFinder,
    private readonly copies: ZoneCopies,
    private readonly differences: ZoneDifferences,
    private readonly records: ZoneRecords,
    private readonly signed: SignedZones,
  ) {
    super();
  }

  override async find(name: DomainName): Promise<PublishedZone | null> {
    const zone = await this.present(name);
    if (zone !== null) this.copies.forgetBefore(zone);
    return zone;
  }

  /** Waits for the signing of a zone that has just changed. */
  private async present(name: DomainName): Promise<PublishedZone | null> {
    const zone = await this.finder.find(name);
    if (zone?.awaitsSigning !== true) return zone;
    await this.signed.whenPublished(zone.id);
    return this.finder.find(name);
  }

  override axfr(zone: PublishedZone, gone: AbortSignal): Promise<Copy> {
    return this.copies.find(zone, gone);
  }

  override ixfr(zone: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null> {
    return this.differences.find(zone, serial, gone);
  }

  override query(zone: PublishedZone, question: Question): Promise<ZoneAnswer> {
    return this.records.answer(zone, question);
  }
}
