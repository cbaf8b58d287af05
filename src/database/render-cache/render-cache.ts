import { SharedWork, type Turns } from '../../common/waiting/shared-work.js';
import { type ContentBounds, ContentCache, type HeldContent, type CachedContent } from './content-cache.js';

export interface Stated {
  /** Version of the source, such as a serial. */
  readonly state: number;
}

interface WantedContent<About> {
  /** The latest content is cached under this key. */
  readonly key: string;
  /** A rendering that begins now may show a later version. */
  readonly state: number;
  /** For content that its version does not identify. */
  readonly isIt?: (about: About) => boolean;
  /** Owner of the used share; none by default. */
  readonly owner?: string;
  readonly inTurn: Turns;
  /** @param former the cached earlier version, held until the rendering ends */
  readonly render: (unwanted: AbortSignal, former: HeldContent<About> | null) => Promise<CachedContent<About>>;
}

interface RenderingUnderWay<About> {
  readonly state: number;
  readonly work: SharedWork<CachedContent<About>>;
}

/** Renders contents once per version for all callers. */
export class RenderCache<About extends Stated> {
  readonly kept: ContentCache<About>;
  private readonly underWay = new Map<string, RenderingUnderWay<About>>();

  constructor(bounds: ContentBounds, boundsOfOwner = bounds) {
    this.kept = new ContentCache(bounds, boundsOfOwner);
  }

  /**
   * Returns that version, or renders it or a later one. A cached later version does not count: after a failover, the
   * database may never reach it.
   * @throws ServiceError `unavailable`, and the errors of rendering
   */
  async find(wanted: WantedContent<About>, gone: AbortSignal): Promise<HeldContent<About>> {
    const { key, state, isIt = () => true } = wanted;
    const kept = this.kept.find(key);
    const isCurrent = kept?.about.state === state && isIt(kept.about);
    return this.kept.use(key, isCurrent ? kept : await this.renderingOf(wanted).work.wait(gone));
  }

  forgetIf(key: string, isPast: (state: number) => boolean): void {
    const kept = this.kept.find(key);
    if (kept !== undefined && isPast(kept.about.state)) this.kept.forget(key);
  }

  /** A rendering that has not begun serves every version up to now. */
  private renderingOf(wanted: WantedContent<About>): RenderingUnderWay<About> {
    const { key, state, inTurn } = wanted;
    const known = this.underWay.get(key);
    if (known?.work.isWanted === true && (!known.work.hasBegun || known.state === state)) return known;
    const work = new SharedWork(inTurn, (unwanted) => this.render(wanted, unwanted));
    const rendering = { state, work };
    this.underWay.set(key, rendering);
    work.whenDone(() => {
      if (this.underWay.get(key) === rendering) this.underWay.delete(key);
      this.kept.makeRoom();
    });
    return rendering;
  }

  private async render(wanted: WantedContent<About>, unwanted: AbortSignal): Promise<CachedContent<About>> {
    const content = await this.renderFromFormer(wanted, unwanted);
    this.kept.put(wanted.key, content, wanted.owner);
    return content;
  }

  private async renderFromFormer(
    { key, render }: WantedContent<About>,
    unwanted: AbortSignal,
  ): Promise<CachedContent<About>> {
    const kept = this.kept.find(key);
    if (kept === undefined) return render(unwanted, null);
    const former = this.kept.use(key, kept);
    try {
      return await render(unwanted, former);
    } finally {
      former.release();
    }
  }
}
