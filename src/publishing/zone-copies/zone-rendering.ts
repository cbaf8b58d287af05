import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import { TransferWriter } from '../../dns/wire/transfer-writer.js';
import { ServedZone } from '../../records/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { type CopyPart, CopySpool, inTurn } from './copy-spool.js';
import type { KeptCopy } from './kept-copy.js';
import { addSet, isTransferred } from './transferred-set.js';
import { ZoneReading } from './zone-reading.js';

/** So few records are read by the connection that all reads share. */
const FEW_RECORDS = 500;

/** Writes zones for transfers (RFC 5936 §2.2): SOA, all other records, SOA. */
@Injectable()
export class ZoneRendering {
  constructor(
    private readonly served: ServedZone,
    private readonly reading: ZoneReading,
    private readonly reads: Reads,
    private readonly spool: CopySpool,
  ) {}

  /**
   * The zone as it is now.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async render(zoneId: string, gone: AbortSignal): Promise<KeptCopy> {
    const small = await this.reading.run(zoneId, (tx, zone) => this.renderSmall(tx, zone));
    return this.spool.keep(small ?? this.reads.stream((tx) => this.renderLarge(tx, zoneId)), gone);
  }

  private async renderSmall(tx: Transaction, zone: ZoneEntity): Promise<AsyncIterable<CopyPart> | null> {
    if (zone.recordCount > FEW_RECORDS) return null;
    const parts: CopyPart[] = [];
    for await (const part of this.parts(tx, zone)) parts.push(part);
    return inTurn(parts);
  }

  private async *renderLarge(tx: Transaction, zoneId: string): AsyncGenerator<CopyPart> {
    yield* this.parts(tx, await this.served.zone(tx, zoneId));
  }

  /** The serial comes first. */
  private async *parts(tx: Transaction, zone: ZoneEntity): AsyncGenerator<CopyPart> {
    yield zone.serial;
    const apex = DomainName.parse(zone.name);
    const writer = new TransferWriter(apex);
    for await (const sets of this.served.recordSets(tx, zone)) {
      for (const set of sets.filter(isTransferred)) yield* addSet(writer, set);
    }
    yield* addSet(writer, { owner: apex, type: SOA, ttl: zone.ttl, rdatas: [this.served.soaOf(zone)] });
    yield writer.finish();
  }
}
