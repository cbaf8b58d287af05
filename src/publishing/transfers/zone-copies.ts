import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Turns, SharedWork } from '../../common/waiting/shared-work.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { type ContentBounds, ContentCache } from '../../database/render-cache/content-cache.js';
import { RenderCache } from '../../database/render-cache/render-cache.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { PublishingOptions } from '../publishing.options.js';
import { type CopyContents, copyOf, type CachedTransfer } from './copy-spool.js';
import { ZoneRenderer } from './zone-renderer.js';
import type { Copy, PublishedZone } from './zone-source.js';
import { IxfrRenderer } from './ixfr-renderer.js';

const AT_A_TIME = 2;
/** Memory for copies of up to 1 MiB, in octets. */
const IN_MEMORY = 2 ** 25;

/** Caches rendered zones. Each serial is rendered once, and cached while there is room. */
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

  get size(): ContentBounds {
    return this.renderings.kept.size;
  }

  /** Returns the zone at the found serial or a later one. `render` replaces the renderer of stored zones. */
  async find(
    { id, serial }: PublishedZone,
    gone: AbortSignal,
    render = (unwanted: AbortSignal) => this.rendering.render(id, unwanted),
  ): Promise<Copy> {
    return copyOf(await this.renderings.find({ key: id, state: serial, inTurn: this.inTurn, render }, gone));
  }

  forgetBefore({ id, serial }: PublishedZone): void {
    this.renderings.forgetIf(id, (kept) => isLaterSerial(serial, kept));
  }

  onModuleDestroy(): void {
    this.renderings.kept.clear();
  }
}

const DIFFERENCES_AT_A_TIME = 4;
/** Cache limits in octets: servers request the same difference within seconds. */
const BOUNDS = { inMemory: 2 ** 22, onDisk: 2 ** 25 };

@Injectable()
export class ZoneDifferences implements OnModuleDestroy {
  private readonly kept = new ContentCache<CopyContents>(BOUNDS);
  private readonly limiter = new FairLimiter({ inAll: DIFFERENCES_AT_A_TIME });
  private readonly underWay = new Map<string, SharedWork<CachedTransfer | null>>();

  constructor(private readonly rendering: IxfrRenderer) {}

  /** Returns the difference to the found serial or a later one; `null` if the whole zone has to be sent. */
  async find(zone: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null> {
    const key = `${zone.id} ${serial} ${zone.serial}`;
    const copy = this.kept.find(key) ?? (await this.workFor(key, zone.id, serial).wait(gone));
    return copy && copyOf(this.kept.use(key, copy));
  }

  onModuleDestroy(): void {
    this.kept.clear();
  }

  private workFor(key: string, zoneId: string, serial: number): SharedWork<CachedTransfer | null> {
    const known = this.underWay.get(key);
    if (known?.isWanted === true) return known;
    const work = new SharedWork(
      (inTurn) => this.limiter.run(inTurn),
      (unwanted) => this.render(key, zoneId, serial, unwanted),
    );
    this.underWay.set(key, work);
    work.whenDone(() => {
      if (this.underWay.get(key) === work) this.underWay.delete(key);
      this.kept.makeRoom();
    });
    return work;
  }

  private async render(
    key: string,
    zoneId: string,
    serial: number,
    unwanted: AbortSignal,
  ): Promise<CachedTransfer | null> {
    const copy = await this.rendering.render(zoneId, serial, unwanted);
    if (copy !== null) this.kept.put(key, copy);
    return copy;
  }
}
