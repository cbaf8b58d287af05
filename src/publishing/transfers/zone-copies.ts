import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Turns } from '../../common/waiting/shared-work.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import type { ContentBounds } from '../../database/render-cache/content-cache.js';
import { RenderCache } from '../../database/render-cache/render-cache.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { PublishingOptions } from '../publishing.options.js';
import { type CopyContents, copyOf } from './cached-transfer.js';
import { ZoneRenderer } from './zone-renderer.js';
import type { Copy, PublishedZone } from './zone-source.js';

/** So many zones are rendered at a time. */
const AT_A_TIME = 2;
/** For copies of up to 1 MiB, which are in memory: so much together, in octets. */
const IN_MEMORY = 2 ** 25;

/** Zones as they are transferred. A zone is rendered once for each of its serials, and kept while there is room. */
@Injectable()
export class ZoneCopies implements OnModuleDestroy {
  private readonly renderings: RenderCache<CopyContents>;
  private readonly limiter = new FairLimiter({ inAll: AT_A_TIME });
  private readonly inTurn: Turns = (work) => this.limiter.run(work);

  constructor(
    private readonly rendering: ZoneRenderer,
    options: PublishingOptions,
  ) {
    this.renderings = new RenderCache({ onDisk: options.copySpace, inMemory: IN_MEMORY });
  }

  /** What the copies take that are kept. */
  get size(): ContentBounds {
    return this.renderings.kept.size;
  }

  /**
   * The zone under the serial with which it was found, or under a later one.
   * @param render how it is rendered where it is no stored zone
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async find(
    { id, serial }: PublishedZone,
    gone: AbortSignal,
    render = (unwanted: AbortSignal) => this.rendering.render(id, unwanted),
  ): Promise<Copy> {
    return copyOf(await this.renderings.find({ key: id, state: serial, inTurn: this.inTurn, render }, gone));
  }

  /** Nobody asks for that zone as it was any more. */
  forgetBefore({ id, serial }: PublishedZone): void {
    this.renderings.forgetIf(id, (kept) => isLaterSerial(serial, kept));
  }

  onModuleDestroy(): void {
    this.renderings.kept.clear();
  }
}
