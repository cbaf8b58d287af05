import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Turns } from '../../common/waiting/shared-work.js';
import { Streams } from '../../common/streams.js';
import type { HeldContent, ContentBounds } from '../../database/render-cache/content-cache.js';
import { RenderCache } from '../../database/render-cache/render-cache.js';
import { Reads } from '../../database/reads.js';
import type { JournalStep } from '../../history/history-points.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import type { ExportForm } from './export-form.js';
import { type TextContents, ZoneText } from './zone-text.js';
import { ZoneTextRendering } from './zone-text-rendering.js';

/** Octets; each text is at most 1 MiB. */
const IN_MEMORY = 2 ** 25;
/** The share of one tenant. */
const SHARE = 0.5;

interface WantedText {
  readonly zone: ZoneEntity;
  /** `null`: the present zone. */
  readonly step: JournalStep | null;
  readonly form: ExportForm;
  readonly readerId: string;
}

/** Caches zone texts: each state and form of a zone is rendered once. */
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

  get size(): ContentBounds {
    return this.renderings.kept.size;
  }

  sizeOf(tenantId: string): ContentBounds {
    return this.renderings.kept.sizeOf(tenantId);
  }

  /** The text counts as a running stream of the reader until released. Throws `over_quota` if it was too large. */
  find(wanted: WantedText, gone: AbortSignal): Promise<ZoneText> {
    return this.whileRunning(wanted.readerId, () => this.findInState(wanted, gone));
  }

  private async findInState(wanted: WantedText, gone: AbortSignal): Promise<ZoneText> {
    const { zone, step } = wanted;
    await this.reads.assertInPlace();
    if (step !== null && step.number < zone.version) return this.past(wanted, step, gone);
    const present = await this.present(wanted, gone);
    if (step === null || present.state === step.number) return present;
    // The zone has changed since `zone` was read.
    present.release();
    return this.past(wanted, step, gone);
  }

  findSigned({ zoneId, published, readerId }: SignedText, gone: AbortSignal): Promise<ZoneText> {
    const render = (unwanted: AbortSignal) => this.rendering.signed(zoneId, unwanted);
    // A renewal of signatures does not change the zone.
    const key = `${zoneId} signed ${published.serial}`;
    return this.whileRunning(readerId, async () => {
      await this.reads.assertInPlace();
      return this.held({ key, state: published.number, readerId, render }, gone);
    });
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

  /** One zone is read for a tenant at a time. */
  private async held({ readerId, ...wanted }: TextToRender, gone: AbortSignal): Promise<ZoneText> {
    const inTurn: Turns = (work) => this.streams.inTurn(readerId, work);
    return new ZoneText(await this.renderings.find({ ...wanted, owner: readerId, inTurn }, gone));
  }

  private async whileRunning(readerId: string, find: () => Promise<ZoneText>): Promise<ZoneText> {
    const end = this.streams.take(readerId);
    try {
      const text = await find();
      text.onRelease(end);
      return text;
    } catch (error) {
      end();
      throw error;
    }
  }
}

interface SignedText {
  readonly zoneId: string;
  readonly published: JournalStep;
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
