import { Injectable } from '@nestjs/common';
import { nextStep } from '../../common/steps.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/spool.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import { type AnswerSection, TransferWriter } from '../../dns/wire/transfer-writer.js';
import { ServedZone } from '../../records/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { KeptCopy } from './kept-copy.js';
import { SectionList } from './section-list.js';
import { isTransferred } from './transferred-set.js';
import { ZoneReading } from './zone-reading.js';

/** So few records are read by the connection that all reads share. */
const FEW_RECORDS = 500;
/** Others get their turn after so many sets. */
const SETS_IN_A_STEP = 500;

/** Writes zones for transfers (RFC 5936 §2.2): SOA, all other records, SOA. */
@Injectable()
export class ZoneRendering {
  constructor(
    private readonly served: ServedZone,
    private readonly reading: ZoneReading,
    private readonly reads: Reads,
    private readonly spool: Spool,
  ) {}

  /**
   * The zone as it is now.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async render(zoneId: string, gone: AbortSignal): Promise<KeptCopy> {
    const small = await this.reading.run(zoneId, (tx, zone) => this.renderSmall(tx, zone));
    return this.keep(small ?? this.reads.stream((tx) => this.renderLarge(tx, zoneId)), gone);
  }

  private async renderSmall(tx: Transaction, zone: ZoneEntity): Promise<AsyncIterable<RenderedPart> | null> {
    if (zone.recordCount > FEW_RECORDS) return null;
    const parts: RenderedPart[] = [];
    for await (const part of this.parts(tx, zone)) parts.push(part);
    return inTurn(parts);
  }

  private async *renderLarge(tx: Transaction, zoneId: string): AsyncGenerator<RenderedPart> {
    yield* this.parts(tx, await this.served.zone(tx, zoneId));
  }

  /** The serial comes first. */
  private async *parts(tx: Transaction, zone: ZoneEntity): AsyncGenerator<RenderedPart> {
    yield zone.serial;
    const apex = DomainName.parse(zone.name);
    const writer = new TransferWriter(apex);
    let sets = 0;
    for await (const set of this.served.recordSets(tx, zone)) {
      if (isTransferred(set)) yield* write(writer, set);
      sets += 1;
      if (sets % SETS_IN_A_STEP === 0) await nextStep();
    }
    yield* write(writer, { owner: apex, type: SOA, ttl: zone.ttl, rdatas: [this.served.soaOf(zone)] });
    yield writer.finish();
  }

  private async keep(parts: AsyncIterable<RenderedPart>, gone: AbortSignal): Promise<KeptCopy> {
    const sections = new SectionList();
    let serial = 0;
    async function* octetsOf(): AsyncGenerator<Buffer> {
      for await (const part of parts) {
        if (typeof part === 'number') serial = part;
        else yield sections.add(part);
      }
    }
    const octets = await this.spool.keepOctets(octetsOf(), gone);
    return new KeptCopy(serial, sections, octets);
  }
}

/** The zone's serial, or a section. */
type RenderedPart = number | AnswerSection;

function* write(writer: TransferWriter, { owner, type, ttl, rdatas }: RecordSet): Generator<AnswerSection> {
  for (const rdata of rdatas) {
    const section = writer.add(owner, type.code, ttl, rdata);
    if (section !== null) yield section;
  }
}

async function* inTurn<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
