import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Turns } from '../../common/waiting/shared-work.js';
import { Streams } from '../../common/streams.js';
import type { HeldContent } from '../../database/render-cache/cached-content.js';
import type { ContentBounds } from '../../database/render-cache/content-cache.js';
import { RenderCache } from '../../database/render-cache/render-cache.js';
import { Reads } from '../../database/reads.js';
import type { JournalStep } from '../../history/history-point.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import type { ExportForm } from './export-form.js';
import { type TextContents, ZoneText } from './zone-text.js';
import { ZoneTextRendering } from './zone-text-rendering.js';

/** For texts of up to 1 MiB, which are in memory: so much together, in octets. */
const IN_MEMORY = 2 ** 25;
/** What part of either the texts of one tenant may take. */
const SHARE = 0.5;

/** Which text is wanted. */
interface WantedText {
  /** As it was found a moment ago. */
  readonly zone: ZoneEntity;
  /** The step after which the zone was as it is wanted; `null` for the zone as it is. */
  readonly step: JournalStep | null;
  readonly form: ExportForm;
  /** The tenant that asks. */
  readonly readerId: string;
}

/** Zones as text. A zone is written once for each of its states and forms, and kept while there is room. */
@Injectable()
export class ZoneTexts implements OnModuleDestroy {
  private readonly renderings: RenderCache<TextContents>;

  constructor(
    private readonly rendering: ZoneTextRendering,
    private readonly streams: Streams,
    private readonly reads: Reads,
    { exportSpace }: ZoneFilesOptions,
  ) {
    const bounds = { onDisk: exportSpace, inMemory: IN_MEMORY };
    const ofTenant = { onDisk: exportSpace * SHARE, inMemory: IN_MEMORY * SHARE };
    this.renderings = new RenderCache(bounds, ofTenant);
  }

  /** What is kept takes. */
  get size(): ContentBounds {
    return this.renderings.kept.size;
  }

  /** What is kept because that tenant has asked takes. */
  sizeOf(tenantId: string): ContentBounds {
    return this.renderings.kept.sizeOf(tenantId);
  }

  /**
   * The zone as it is now, or was found a moment ago, or after the step that is named.
   * @param gone ends the work where nobody waits for it any more
   * @throws ServiceError `zone_not_found`, `serial_not_found`, `over_quota` for what was too large, `unavailable`
   */
  async find(wanted: WantedText, gone: AbortSignal): Promise<ZoneText> {
    const { zone, step } = wanted;
    await this.reads.assertInPlace();
    if (step !== null && step.number < zone.version) return this.past(wanted, step, gone);
    const present = await this.present(wanted, gone);
    if (step === null || present.state === step.number) return present;
    // The zone has changed since it was found.
    present.release();
    return this.past(wanted, step, gone);
  }

  /** The zone as it is published by now, or was found to be a moment ago. */
  async findSigned({ zoneId, published, readerId }: SignedText, gone: AbortSignal): Promise<ZoneText> {
    await this.reads.assertInPlace();
    const render = (unwanted: AbortSignal) => this.rendering.signed(zoneId, unwanted);
    // Signatures are renewed without a change of the zone.
    const key = `${zoneId} signed ${published.serial}`;
    return this.held({ key, state: published.number, readerId, render }, gone);
  }

  onModuleDestroy(): void {
    this.renderings.kept.clear();
  }

  private present({ zone, form, readerId }: WantedText, gone: AbortSignal): Promise<ZoneText> {
    const render: TextToRender['render'] = (unwanted, former) =>
      this.rendering.present(zone.id, form, unwanted, former);
    const key = `${zone.id} ${form.name}`;
    const isIt = ({ serial }: TextContents): boolean => serial === zone.serial;
    return this.held({ key, state: zone.version, isIt, readerId, render }, gone);
  }

  private past({ zone, form, readerId }: WantedText, step: JournalStep, gone: AbortSignal): Promise<ZoneText> {
    const render = (unwanted: AbortSignal) => this.rendering.past(zone, step, form, unwanted);
    return this.held({ key: `${zone.id} ${form.name} ${step.number}`, state: step.number, readerId, render }, gone);
  }

  /** A tenant has one zone read at a time. */
  private async held({ readerId, ...wanted }: TextToRender, gone: AbortSignal): Promise<ZoneText> {
    const inTurn: Turns = (work) => this.streams.inTurn(readerId, work);
    return new ZoneText(await this.renderings.find({ ...wanted, owner: readerId, inTurn }, gone));
  }
}

interface SignedText {
  readonly zoneId: string;
  readonly published: JournalStep;
  /** The tenant that asks. */
  readonly readerId: string;
}

interface TextToRender {
  readonly key: string;
  readonly state: number;
  readonly isIt?: (about: TextContents) => boolean;
  readonly readerId: string;
  readonly render: (
    unwanted: AbortSignal,
    former: HeldContent<TextContents> | null,
  ) => ReturnType<ZoneTextRendering['present']>;
}
