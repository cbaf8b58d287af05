import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { NS } from '../../dns/rdata/name-types.js';
import { type AnswerSection, TransferWriter } from '../../dns/message/transfer-writer.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { RecordRepository } from '../../records/record.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { SortRequired, UnsortedZoneReader } from '../../records/served/unsorted-zone-reader.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { PublishedVersion } from '../../zones/zone.repository.js';
import { type CopyPart, CopySpool, inTurn, type CachedTransfer } from './copy-spool.js';
import { type SignedForm, SignedZones, type WireRecord } from './signed-zones.js';
import {
  addRecords,
  addSet,
  inSignedZone,
  isTransferred,
  isTransferredRdata,
  recordsOf,
  recordsOfSigned,
} from './transferred-set.js';
import { ZoneReader } from './zone-reader.js';

/** Limit of records that are read over the shared connection. */
const FEW_RECORDS = 500;
/** Attempts to read a zone unordered before it is read in order. */
const ATTEMPTS = 2;

/** Renders zones for transfers (RFC 5936 §2.2): SOA, all other records, SOA. */
@Injectable()
export class ZoneRenderer {
  constructor(
    private readonly served: ServedZone,
    private readonly unordered: UnsortedZoneReader,
    private readonly records: RecordRepository,
    private readonly reading: ZoneReader,
    private readonly signed: SignedZones,
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly spool: CopySpool,
  ) {}

  render(zoneId: string, gone: AbortSignal): Promise<CachedTransfer> {
    return this.reading.fromAny(() => this.write(zoneId, gone));
  }

  private async write(zoneId: string, gone: AbortSignal): Promise<CachedTransfer> {
    const small = await this.reading.run(zoneId, (tx, zone) => this.renderSmall(tx, zone));
    if (small !== null) return this.spool.keep(inTurn(small), gone);
    const quick = await this.renderQuickly(zoneId, gone);
    if (quick !== null) return quick;
    const parts = this.reading.stream(zoneId, (tx, zone) => this.parts(tx, zone));
    return this.spool.keep(parts, gone);
  }

  private async renderSmall(tx: Transaction, zone: ZoneEntity): Promise<CopyPart[] | null> {
    if (zone.recordCount > FEW_RECORDS) return null;
    const parts: CopyPart[] = [];
    for await (const part of this.parts(tx, zone)) parts.push(part);
    return parts;
  }

  /** Renders without order, which transfers permit. Returns `null` if the zone has to be read in order. */
  private async renderQuickly(zoneId: string, gone: AbortSignal): Promise<CachedTransfer | null> {
    let mixed: ReadonlyMap<string, SetKey> = new Map();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const known = mixed;
        const parts = this.reading.stream(zoneId, (tx, zone) => this.unorderedParts(tx, zone, known));
        return await this.spool.keep(parts, gone);
      } catch (error) {
        if (!(error instanceof SortRequired)) throw error;
        if (error.mixed.size === 0) return null;
        mixed = new Map([...mixed, ...error.mixed]);
      }
    }
    return null;
  }

  /** Yields the serial first. */
  private async *parts(tx: Transaction, zone: ZoneEntity): AsyncGenerator<CopyPart> {
    const { publishedVersion, publishedSerial } = zone;
    if (publishedVersion !== null && publishedSerial !== null) {
      const published = { version: publishedVersion, serial: publishedSerial };
      yield* this.signedParts(tx, zone, published, this.publishedContents(tx, zone, published));
      return;
    }
    yield zone.serial;
    const writer = new TransferWriter(DomainName.parse(zone.name));
    for await (const sets of this.served.recordSets(tx, zone)) {
      for (const set of sets.filter(isTransferred)) yield* addSet(writer, set);
    }
    yield* this.addSoa(writer, zone);
    yield writer.finish();
  }

  private async *unorderedParts(
    tx: Transaction,
    zone: ZoneEntity,
    mixed: ReadonlyMap<string, SetKey>,
  ): AsyncGenerator<CopyPart> {
    const { publishedVersion: version, publishedSerial: serial } = zone;
    if (version !== null && serial !== null) {
      // Earlier contents can only be read in order.
      if (version !== zone.version) throw new SortRequired(new Map());
      yield* this.signedParts(tx, zone, { version, serial }, this.unorderedRecords(tx, zone, mixed));
      return;
    }
    yield zone.serial;
    const writer = new TransferWriter(DomainName.parse(zone.name));
    yield* this.addSoa(writer, zone);
    for await (const records of this.unorderedRecords(tx, zone, mixed)) yield* addRecords(writer, records);
    yield* this.addSoa(writer, zone);
    yield writer.finish();
  }

  private async *unorderedRecords(
    tx: Transaction,
    zone: ZoneEntity,
    mixed: ReadonlyMap<string, SetKey>,
  ): AsyncGenerator<readonly WireRecord[]> {
    yield await this.apexNs(tx, zone);
    for await (const records of this.unordered.records(tx, zone, mixed)) {
      if (!records.every(({ rdata }) => isTransferredRdata(rdata))) throw new SortRequired(new Map());
      yield records;
    }
  }

  /** @param contents of the published version, without SOA */
  private async *signedParts(
    tx: Transaction,
    zone: ZoneEntity,
    { serial }: PublishedVersion,
    contents: AsyncIterable<Iterable<WireRecord>>,
  ): AsyncGenerator<CopyPart> {
    yield serial;
    const apex = DomainName.parse(zone.name);
    const writer = new TransferWriter(apex);
    const soa = await this.signed.soa(tx, zone.id);
    if (soa === null) throw new Error(`the zone ${zone.id} is published as signed, and has no signed SOA`);
    yield* addRecords(writer, [soa]);
    const form = await this.signed.formOf(tx, zone);
    for await (const records of contents)
      yield* addRecords(writer, inSignedForm(withoutMade(records, apex, this.signed), form));
    for await (const sets of this.signed.sets(tx, zone.id)) yield* addRecords(writer, recordsOfSigned(sets));
    yield* addRecords(writer, [soa]);
    yield writer.finish();
  }

  /** Yields the contents that the published signatures cover, usually the present contents. */
  private async *publishedContents(
    tx: Transaction,
    zone: ZoneEntity,
    { version, serial }: PublishedVersion,
  ): AsyncGenerator<Iterable<WireRecord>> {
    const past =
      version === zone.version ? null : await this.pointInTimeZones.find(tx, zone, { number: version, serial });
    const contents =
      past === null ? this.served.recordSets(tx, zone) : this.served.recordSetsOf(tx, past.zone, past.records);
    for await (const sets of contents) yield sets.filter(isTransferred).flatMap(recordsOf);
  }

  private addSoa(writer: TransferWriter, zone: ZoneEntity): Iterable<AnswerSection> {
    return addSet(writer, this.served.soaSetOf(zone));
  }

  private async apexNs(tx: Transaction, zone: ZoneEntity): Promise<WireRecord[]> {
    const { id, nameKey: ownerKey } = zone;
    const stored = await this.records.servedSet(tx, id, ownerKey, NS.name);
    return this.served.setAt(zone, { ownerKey, type: NS.name }, stored).filter(isTransferred).flatMap(recordsOf);
  }
}

function* withoutMade(records: Iterable<WireRecord>, apex: DomainName, signed: SignedZones): Generator<WireRecord> {
  for (const record of records) if (!signed.isMade(record, apex)) yield record;
}

function* inSignedForm(records: Iterable<WireRecord>, form: SignedForm): Generator<WireRecord> {
  for (const record of records) yield inSignedZone(record, form);
}
