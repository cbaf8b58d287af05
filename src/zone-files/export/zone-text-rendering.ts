import type { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { type HeldContent, CachedContent } from '../../database/render-cache/content-cache.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import type { JournalStep } from '../../history/history-points.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import { RecordsOptions } from '../../records/records.options.js';
import { isOmitted, type OmittedSet, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ChangedLines, type LinesOfOwners, withLines } from './changed-lines.js';
import { COMPLETE, type ExportForm, writeOmission } from './export-form.js';
import { ExportLimits } from './export-limits.js';
import { SignedTexts, type TextContents } from './zone-text.js';

const CHUNK = 65_536;
const STAMP_CHARACTERS = 8;

/** The contents come before the text, and again after it with facts that need the whole text. */
type TextPart = TextContents | string;

interface ChangedText {
  readonly about: TextContents;
  readonly head: string;
  readonly lines: LinesOfOwners;
}

@Injectable()
export class ZoneTextRendering {
  /** A change of the configuration may change all texts. */
  private readonly stamp: string;

  constructor(
    private readonly contents: ServedZone,
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly changedLines: ChangedLines,
    private readonly signedTexts: SignedTexts,
    private readonly limits: ExportLimits,
    private readonly reads: Reads,
    private readonly spool: Spool,
    { generation, knownTypes }: RecordsOptions,
  ) {
    const words = JSON.stringify([generation, Array.from(knownTypes, ({ name, code }) => [name, code])]);
    this.stamp = createHash('sha256').update(words).digest('base64url').slice(0, STAMP_CHARACTERS);
  }

  /** A weak entity tag of the state. Texts of different forms share it. */
  tagOf({ number, serial }: JournalStep): string {
    return `W/"${number}-${serial.toString(36)}-${this.stamp}"`;
  }

  /** If few records have changed since an earlier text, merges the new text from it, octet for octet the same. */
  present(
    zoneId: string,
    form: ExportForm,
    gone: AbortSignal,
    former: HeldContent<TextContents> | null,
  ): Promise<CachedContent<TextContents>> {
    return this.reads.offPrimary(async () => {
      const changed = former?.about.isWhole ? await this.changesOf(zoneId, form, former.about) : null;
      if (former !== null && changed !== null) return this.changedText(former, changed, gone);
      return this.spooled(
        this.reads.stream((tx) => this.presentParts(tx, zoneId, form)),
        gone,
      );
    });
  }

  /** Throws `over_quota` before the first line, because only the journal knows the number of records. */
  past(
    { id, tenantId }: ZoneEntity,
    step: JournalStep,
    form: ExportForm,
    gone: AbortSignal,
  ): Promise<CachedContent<TextContents>> {
    const parts = (): AsyncIterable<TextPart> => this.reads.stream((tx) => this.pastParts(tx, id, step, form));
    return this.keep(() => this.withinLimits(tenantId, parts()), gone);
  }

  /** @throws ServiceError `signing_conflict` if the zone is no longer signed */
  signed(zoneId: string, gone: AbortSignal): Promise<CachedContent<TextContents>> {
    return this.keep(() => this.reads.stream((tx) => this.signedParts(tx, zoneId)), gone);
  }

  async *pieces(zoneId: string, form: ExportForm, onSet?: () => void): AsyncGenerator<string> {
    for await (const part of this.reads.stream((tx) => this.presentParts(tx, zoneId, form, onSet)))
      if (typeof part === 'string') yield part;
  }

  spooledPieces(zoneId: string, form: ExportForm, onSet?: () => void): Promise<Readable> {
    return this.spool.keep(this.pieces(zoneId, form, onSet));
  }

  /** `null` if the whole zone must be rendered. */
  private async changesOf(
    zoneId: string,
    form: ExportForm,
    { state: number, serial }: TextContents,
  ): Promise<ChangedText | null> {
    let found: ChangedText | null = null;
    const snapshot = this.reads.stream((tx) => this.changesIn(tx, zoneId, form, { number, serial }));
    // Read to the end, so that the connection is reused.
    for await (const changes of snapshot) found = changes;
    return found;
  }

  private async *changesIn(
    tx: Transaction,
    zoneId: string,
    form: ExportForm,
    former: JournalStep,
  ): AsyncGenerator<ChangedText> {
    const zone = await this.contents.zone(tx, zoneId);
    const lines = await this.changedLines.since(tx, zone, former, form);
    if (lines !== null) yield { head: form.head(zone), about: this.aboutPresent(zone, form), lines };
  }

  private async changedText(
    { about: { start }, octets: former }: HeldContent<TextContents>,
    { head, about, lines }: ChangedText,
    gone: AbortSignal,
  ): Promise<CachedContent<TextContents>> {
    async function* pieces(): AsyncGenerator<string | Uint8Array> {
      yield head;
      yield* withLines(former, start, lines);
    }
    return new CachedContent(about, await this.spool.keepOctets(pieces(), gone));
  }

  private keep(read: () => AsyncIterable<TextPart>, gone: AbortSignal): Promise<CachedContent<TextContents>> {
    return this.reads.offPrimary(() => this.spooled(read(), gone));
  }

  private async spooled(parts: AsyncIterable<TextPart>, gone: AbortSignal): Promise<CachedContent<TextContents>> {
    const known: TextContents[] = [];
    async function* text(): AsyncGenerator<string> {
      for await (const part of parts) {
        if (typeof part === 'string') yield part;
        else known.push(part);
      }
    }
    const octets = await this.spool.keepOctets(text(), gone);
    const about = known.at(-1);
    if (about === undefined) throw new Error('a text begins with what is known of it');
    return new CachedContent(about, octets);
  }

  private aboutPresent(zone: ZoneEntity, form: ExportForm): TextContents {
    const { version: number, serial, recordCount } = zone;
    return this.about({ number, serial }, recordCount, form.head(zone));
  }

  private about(step: JournalStep, recordCount: number, head: string): TextContents {
    const { number: state, serial } = step;
    return { state, serial, tag: this.tagOf(step), recordCount, start: Buffer.byteLength(head), isWhole: true };
  }

  private async *presentParts(
    tx: Transaction,
    zoneId: string,
    form: ExportForm,
    onSet?: () => void,
  ): AsyncGenerator<TextPart> {
    const zone = await this.contents.zone(tx, zoneId);
    const about = this.aboutPresent(zone, form);
    yield about;
    let isWhole = true;
    yield* write(zone, this.contents.recordSets(tx, zone, true), form, (set) => {
      if (isOmitted(set)) isWhole = false;
      onSet?.();
    });
    yield { ...about, isWhole };
  }

  private async *pastParts(
    tx: Transaction,
    zoneId: string,
    step: JournalStep,
    form: ExportForm,
  ): AsyncGenerator<TextPart> {
    const { zone, records, recordCount } = await this.pointInTimeZones.find(
      tx,
      await this.contents.zone(tx, zoneId),
      step,
    );
    yield this.about(step, recordCount, form.head(zone));
    yield* write(zone, this.contents.recordSetsOf(tx, zone, records, true), form);
  }

  private async *signedParts(tx: Transaction, zoneId: string): AsyncGenerator<TextPart> {
    const zone = await this.contents.zone(tx, zoneId);
    const { name, publishedVersion: number, publishedSerial: serial, recordCount } = zone;
    if (number === null || serial === null)
      throw new ServiceError('signing_conflict', `${name} is not published as signed.`);
    const head = COMPLETE.head({ ...zone, serial });
    yield this.about({ number, serial }, recordCount, head);
    yield head;
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
  onSet?: (set: RecordSet | OmittedSet) => void,
): AsyncGenerator<string> {
  let chunk = form.head(zone);
  for await (const sets of batches) {
    for (const set of sets) {
      chunk += isOmitted(set) ? writeOmission(set) : form.recordSet(set, zone);
      onSet?.(set);
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
