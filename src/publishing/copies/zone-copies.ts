import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { PublishingOptions } from '../publishing.options.js';
import { type CopyBounds, KeptCopies } from './kept-copies.js';
import type { KeptCopy } from './kept-copy.js';
import { SharedWork } from './shared-work.js';
import { ZoneRendering } from './zone-rendering.js';
import type { Copy, PublishedZone } from './zone-source.js';

/** So many zones are rendered at a time. */
const AT_A_TIME = 2;
/** For copies of up to 1 MiB, which are in memory: so much together, in octets. */
const IN_MEMORY = 2 ** 25;

/** Zones as they are transferred. A zone is rendered once for each of its serials, and kept while there is room. */
@Injectable()
export class ZoneCopies implements OnModuleDestroy {
  private readonly kept: KeptCopies;
  private readonly limiter = new FairLimiter({ inAll: AT_A_TIME });
  /** The latest of each zone, by the zone's id. */
  private readonly renderings = new Map<string, ZoneRenderingUnderWay>();

  constructor(
    private readonly rendering: ZoneRendering,
    options: PublishingOptions,
  ) {
    this.kept = new KeptCopies({ onDisk: options.copySpace, inMemory: IN_MEMORY });
  }

  /** What the copies take that are kept. */
  get size(): CopyBounds {
    return this.kept.size;
  }

  /**
   * The zone under the serial with which it was found, or under a later one.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async find(zone: PublishedZone, gone: AbortSignal): Promise<Copy> {
    const kept = this.kept.find(zone.id);
    const isCurrent = kept !== undefined && !isLaterSerial(zone.serial, kept.serial);
    return this.kept.use(zone.id, isCurrent ? kept : await this.renderingOf(zone).work.wait(gone));
  }

  /** Nobody asks for that zone as it was any more. */
  forgetBefore({ id, serial }: PublishedZone): void {
    const kept = this.kept.find(id);
    if (kept !== undefined && isLaterSerial(serial, kept.serial)) this.kept.forget(id);
  }

  onModuleDestroy(): void {
    this.kept.clear();
  }

  /** One that has not begun will see all that is there by now, whatever serial it was asked for. */
  private renderingOf({ id, serial }: PublishedZone): ZoneRenderingUnderWay {
    const known = this.renderings.get(id);
    if (known?.work.isWanted === true && (!known.work.hasBegun || known.serial === serial)) return known;
    const work = new SharedWork(this.limiter, (unwanted) => this.render(id, unwanted));
    const rendering = { serial, work };
    this.renderings.set(id, rendering);
    work.whenDone(() => {
      if (this.renderings.get(id) === rendering) this.renderings.delete(id);
      this.kept.makeRoom();
    });
    return rendering;
  }

  private async render(id: string, unwanted: AbortSignal): Promise<KeptCopy> {
    const copy = await this.rendering.render(id, unwanted);
    const kept = this.kept.find(id);
    // Of two that were under way the later one may have ended first.
    if (kept === undefined || !isLaterSerial(kept.serial, copy.serial)) this.kept.put(id, copy);
    else copy.giveUp();
    return copy;
  }
}

interface ZoneRenderingUnderWay {
  /** With which the zone was found. */
  readonly serial: number;
  readonly work: SharedWork<KeptCopy>;
}
