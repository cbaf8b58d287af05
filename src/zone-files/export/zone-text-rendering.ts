import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { KeptContent } from '../../database/renderings/kept-content.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/renderings/spool.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import type { JournalStep } from '../../history/moment.js';
import { PastZones } from '../../history/past-zones.js';
import { RecordsOptions } from '../../records/records.options.js';
import { isOmitted, type OmittedSet, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { COMPLETE, type ExportForm } from './export-form.js';
import { ExportLimits } from './export-limits.js';
import { writeOmission } from './omissions.js';
import { SignedTexts } from './signed-texts.js';
import type { TextContents } from './zone-text.js';

/** Text is handed on in pieces of about this many characters. */
const CHUNK = 65_536;
const STAMP_CHARACTERS = 8;

/** What is known of a text comes before the text. */
type TextPart = TextContents | string;

/** Writes zones as master files, each from one moment of the database. */
@Injectable()
export class ZoneTextRendering {
  /** Of what texts depend on beside the zone: another configuration may write the same records in other words. */
  private readonly stamp: string;

  constructor(
    private readonly contents: ServedZone,
    private readonly pastZones: PastZones,
    private readonly signedTexts: SignedTexts,
    private readonly limits: ExportLimits,
    private readonly reads: Reads,
    private readonly spool: Spool,
    { generation, knownTypes }: RecordsOptions,
  ) {
    const words = JSON.stringify([generation, Array.from(knownTypes, ({ name, code }) => [name, code])]);
    this.stamp = createHash('sha256').update(words).digest('base64url').slice(0, STAMP_CHARACTERS);
  }

  /** What changes whenever the text does, and seldom else. Texts of different forms may have the same. */
  tagOf({ number, serial }: JournalStep): string {
    return `W/"${number}-${serial.toString(36)}-${this.stamp}"`;
  }

  /**
   * The zone as it is now.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  present(zoneId: string, form: ExportForm, gone: AbortSignal): Promise<KeptContent<TextContents>> {
    return this.keep(() => this.reads.stream((tx) => this.presentParts(tx, zoneId, form)), gone);
  }

  /**
   * The zone as it was after a step.
   * @throws ServiceError `zone_not_found`, `serial_not_found`, `unavailable`, and `over_quota` before anything is written:
   *   how many records there were is known only once the journal has been read
   */
  past(
    { id, tenantId }: ZoneEntity,
    step: JournalStep,
    form: ExportForm,
    gone: AbortSignal,
  ): Promise<KeptContent<TextContents>> {
    const parts = (): AsyncIterable<TextPart> => this.reads.stream((tx) => this.pastParts(tx, id, step, form));
    return this.keep(() => this.withinLimits(tenantId, parts()), gone);
  }

  /**
   * The zone as it is published.
   * @throws ServiceError `zone_not_found`, `signing_conflict` where it is not signed any more, `unavailable`
   */
  signed(zoneId: string, gone: AbortSignal): Promise<KeptContent<TextContents>> {
    return this.keep(() => this.reads.stream((tx) => this.signedParts(tx, zoneId)), gone);
  }

  /** The zone as it is now, piece by piece; `onSet` is told of every record set. */
  async *pieces(zoneId: string, form: ExportForm, onSet?: () => void): AsyncGenerator<string> {
    for await (const part of this.reads.stream((tx) => this.presentParts(tx, zoneId, form, onSet)))
      if (typeof part === 'string') yield part;
  }

  private keep(read: () => AsyncIterable<TextPart>, gone: AbortSignal): Promise<KeptContent<TextContents>> {
    return this.reads.offPrimary(() => this.spooled(read(), gone));
  }

  private async spooled(parts: AsyncIterable<TextPart>, gone: AbortSignal): Promise<KeptContent<TextContents>> {
    const known: TextContents[] = [];
    async function* text(): AsyncGenerator<string> {
      for await (const part of parts) {
        if (typeof part === 'string') yield part;
        else known.push(part);
      }
    }
    const octets = await this.spool.keepOctets(text(), gone);
    const [about] = known;
    if (about === undefined) throw new Error('a text begins with what is known of it');
    return new KeptContent(about, octets);
  }

  private async *presentParts(
    tx: Transaction,
    zoneId: string,
    form: ExportForm,
    onSet?: () => void,
  ): AsyncGenerator<TextPart> {
    const zone = await this.contents.zone(tx, zoneId);
    const { version: number, serial, recordCount } = zone;
    yield { state: number, tag: this.tagOf({ number, serial }), recordCount };
    yield* write(zone, this.contents.recordSets(tx, zone), form, onSet);
  }

  private async *pastParts(
    tx: Transaction,
    zoneId: string,
    step: JournalStep,
    form: ExportForm,
  ): AsyncGenerator<TextPart> {
    const { zone, records, recordCount } = await this.pastZones.find(tx, await this.contents.zone(tx, zoneId), step);
    yield { state: step.number, tag: this.tagOf(step), recordCount };
    yield* write(zone, this.contents.recordSetsOf(tx, zone, records), form);
  }

  private async *signedParts(tx: Transaction, zoneId: string): AsyncGenerator<TextPart> {
    const zone = await this.contents.zone(tx, zoneId);
    const { name, publishedVersion: number, publishedSerial: serial, recordCount } = zone;
    if (number === null || serial === null)
      throw new ServiceError('signing_conflict', `${name} is not published as signed.`);
    yield { state: number, tag: this.tagOf({ number, serial }), recordCount };
    yield COMPLETE.head({ ...zone, serial });
    yield* this.signedTexts.lines(tx, zone);
  }

  private async *withinLimits(tenantId: string, parts: AsyncIterable<TextPart>): AsyncGenerator<TextPart> {
    for await (const part of parts) {
      if (typeof part !== 'string') await this.limits.assertExportAllowed(tenantId, part.recordCount);
      yield part;
    }
  }
}

async function* write(
  zone: ZoneEntity,
  batches: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
  form: ExportForm,
  onSet?: () => void,
): AsyncGenerator<string> {
  let chunk = form.head(zone);
  for await (const sets of batches) {
    for (const set of sets) {
      chunk += isOmitted(set) ? writeOmission(set) : form.recordSet(set, zone);
      onSet?.();
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
