import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import { type JournalStep, type HistoryPoint, HistoryPoints } from '../../history/history-points.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { COMPLETE, type ExportForm } from './export-form.js';
import { ExportLimits } from './export-limits.js';
import type { ZoneText } from './zone-text.js';
import { ZoneTextRendering } from './zone-text-rendering.js';
import { ZoneTexts } from './zone-texts.js';

interface ExportRequest {
  readonly zoneId: string;
  /** `null`: the present zone. */
  readonly moment: HistoryPoint | null;
  readonly form: ExportForm;
  /** Whether the client has the text with this tag. */
  readonly isKnown: (tag: string) => boolean;
}

/** Exports zones as master files (RFC 1035 §5), each from one snapshot. */
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
  ) {}

  /**
   * Renders the whole zone before the first octet is read. Counts as a running stream until it is read or destroyed.
   * @param gone aborts when the client disconnects
   * @throws ServiceError `zone_not_found`, `over_quota` if the owner's quota is below the zone, and `unavailable`
   */
  async exportWithinLimits(zoneId: string, caller: Caller, gone: AbortSignal): Promise<Readable> {
    const zone = await this.zones.find(zoneId, caller);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    return (await this.textOf(zone, null, COMPLETE, { caller, gone })).readOnce();
  }

  /** Exports the zone at present or at an earlier point; only the tag if the client has the text. @internal */
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

  /** Throws `signing_conflict` if the zone is not published as signed. @internal */
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
    return this.texts.findSigned({ zoneId, published: { number, serial }, readerId: caller.tenantId }, gone);
  }

  /** Exports a zone of any size for an operator. `onSet` is called for each record set. */
  exportComplete(zone: ZoneEntity, onSet?: () => void): Promise<Readable> {
    return this.rendering.spooledPieces(zone.id, COMPLETE, onSet);
  }

  /** Renders the zone while it is read, for readers that do not stop. */
  export({ id }: ZoneEntity, onSet?: () => void): AsyncIterable<string> {
    return this.rendering.pieces(id, COMPLETE, onSet);
  }

  /** As `export`, in another form. @internal */
  exportAs(form: ExportForm, { id }: ZoneEntity): AsyncIterable<string> {
    return this.rendering.pieces(id, form);
  }

  private async find(zoneId: string, moment: HistoryPoint | null, caller: Caller): Promise<FoundState> {
    const zone = await this.zones.find(zoneId, caller);
    if (moment === null) return { zone, step: null };
    return this.reads.run(async (tx) => {
      const present = await this.contents.zone(tx, zone.id);
      return { zone: present, step: await this.moments.findKept(tx, present, moment) };
    });
  }

  /** Counts as a running stream until released. The text may be of a later state than `zone`. */
  private async textOf(
    zone: ZoneEntity,
    step: JournalStep | null,
    form: ExportForm,
    { caller, gone }: { readonly caller: Caller; readonly gone: AbortSignal },
  ): Promise<ZoneText> {
    const text = await this.texts.find({ zone, step, form, readerId: caller.tenantId }, gone);
    if (step !== null || text.state !== zone.version) await this.assertAllowed(zone, text);
    return text;
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
  /** `null`: the present zone. */
  readonly step: JournalStep | null;
}
