import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { Streams } from '../../common/streams.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { JournalStep, HistoryPoint } from '../../history/history-point.js';
import { HistoryPoints } from '../../history/history-points.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { COMPLETE, type ExportForm } from './export-form.js';
import { ExportLimits } from './export-limits.js';
import type { ZoneText } from './zone-text.js';
import { ZoneTextRendering } from './zone-text-rendering.js';
import { ZoneTexts } from './zone-texts.js';

/** What is to be exported. */
interface ExportRequest {
  readonly zoneId: string;
  /** `null` for the zone as it is. */
  readonly moment: HistoryPoint | null;
  readonly form: ExportForm;
  /** Whether the reader has the text of that tag already. */
  readonly isKnown: (tag: string) => boolean;
}

/** Zones as master files (RFC 1035 §5), each of one moment. */
@Injectable()
export class ZoneExportService {
  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly contents: ServedZone,
    private readonly moments: HistoryPoints,
    private readonly limits: ExportLimits,
    private readonly texts: ZoneTexts,
    private readonly rendering: ZoneTextRendering,
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /**
   * The zone as a master file of one moment, complete before anybody reads it. It counts as under way until it has been
   * read or destroyed.
   * @param gone ends the work where nobody waits for it any more
   * @throws ServiceError `zone_not_found`, `over_quota` where the owner's quota is smaller than the zone, and `unavailable`
   */
  async exportWithinLimits(zoneId: string, caller: Caller, gone: AbortSignal): Promise<Readable> {
    const zone = await this.zones.find(zoneId, caller);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    return (await this.textOf(zone, null, COMPLETE, { caller, gone })).readOnce();
  }

  /**
   * The same, also of a moment of the past, for whoever may have it already.
   * @returns the tag alone where that is so
   * @throws ServiceError `serial_not_found` as well
   * @internal
   */
  async exportUnlessKnown(
    { zoneId, moment, form, isKnown }: ExportRequest,
    caller: Caller,
    gone: AbortSignal,
  ): Promise<ZoneText | string> {
    const { zone, step } = await this.find(zoneId, moment, caller);
    if (step === null) {
      await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
      const tag = this.rendering.tagOf({ number: zone.version, serial: zone.serial });
      if (isKnown(tag)) return tag;
    }
    const text = await this.textOf(zone, step, form, { caller, gone });
    if (!isKnown(text.tag)) return text;
    text.release();
    return text.tag;
  }

  /**
   * The zone as it is published, with its signatures.
   * @throws ServiceError `signing_conflict` where it is not published as signed, `zone_not_found`, `over_quota`, `unavailable`
   * @internal
   */
  async exportSignedUnlessKnown(
    { zoneId, isKnown }: Pick<ExportRequest, 'zoneId' | 'isKnown'>,
    caller: Caller,
    gone: AbortSignal,
  ): Promise<ZoneText | string> {
    const zone = await this.zones.find(zoneId, caller);
    const { publishedVersion: number, publishedSerial: serial } = zone;
    if (number === null || serial === null)
      throw new ServiceError('signing_conflict', `${zone.name} is not published as signed.`);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    const tag = this.rendering.tagOf({ number, serial });
    if (isKnown(tag)) return tag;
    return this.whileUnderWay(caller, () =>
      this.texts.findSigned({ zoneId, published: { number, serial }, readerId: caller.tenantId }, gone),
    );
  }

  /** The same for an operator, whatever the size; `onSet` is told of every record set. */
  exportComplete(zone: ZoneEntity, onSet?: () => void): Promise<Readable> {
    return this.spool.keep(this.export(zone, onSet));
  }

  /** Piece by piece as it is read, for a reader who does not keep the database waiting. */
  export({ id }: ZoneEntity, onSet?: () => void): AsyncIterable<string> {
    return this.rendering.pieces(id, COMPLETE, onSet);
  }

  private async find(zoneId: string, moment: HistoryPoint | null, caller: Caller): Promise<FoundState> {
    const zone = await this.zones.find(zoneId, caller);
    if (moment === null) return { zone, step: null };
    return this.reads.run(async (tx) => {
      const present = await this.contents.zone(tx, zone.id);
      return { zone: present, step: await this.moments.findKept(tx, present, moment) };
    });
  }

  /** It counts as under way until it is released. It may be of another state than the one that was judged. */
  private async textOf(
    zone: ZoneEntity,
    step: JournalStep | null,
    form: ExportForm,
    { caller, gone }: Reader,
  ): Promise<ZoneText> {
    return this.whileUnderWay(caller, async () => {
      const text = await this.texts.find({ zone, step, form, readerId: caller.tenantId }, gone);
      if (step !== null || text.state !== zone.version) await this.assertAllowed(zone, text);
      return text;
    });
  }

  private async whileUnderWay({ tenantId }: Caller, find: () => Promise<ZoneText>): Promise<ZoneText> {
    const end = this.streams.take(tenantId);
    try {
      const text = await find();
      text.onRelease(end);
      return text;
    } catch (error) {
      end();
      throw error;
    }
  }

  private async assertAllowed({ tenantId }: ZoneEntity, text: ZoneText): Promise<void> {
    try {
      await this.limits.assertExportAllowed(tenantId, text.recordCount);
    } catch (error) {
      text.release();
      throw error;
    }
  }
}

interface FoundState {
  readonly zone: ZoneEntity;
  /** `null` for the zone as it is. */
  readonly step: JournalStep | null;
}

interface Reader {
  readonly caller: Caller;
  readonly gone: AbortSignal;
}
