import { SharedWork, type Turns } from '../../common/waiting/shared-work.js';
import { type ContentBounds, ContentCache } from './content-cache.js';
import type { HeldContent, CachedContent } from './cached-content.js';

/** What is known of a content at least. */
export interface Stated {
  /** Which state of something it shows, such as a serial. */
  readonly state: number;
}

/** What is asked for. */
interface WantedContent<About> {
  /** The latest content is kept under it. */
  readonly key: string;
  /** Which state it is to show; a rendering that begins now may show a later one. */
  readonly state: number;
  /** Whether a kept content is the wanted one where its state alone does not say so. */
  readonly isIt?: (about: About) => boolean;
  /** Whose share of the room it takes; nobody's unless it is said. */
  readonly owner?: string;
  readonly inTurn: Turns;
  /** @param former the content in an earlier state, where it is kept; it is there until the work is done */
  readonly render: (unwanted: AbortSignal, former: HeldContent<About> | null) => Promise<CachedContent<About>>;
}

interface RenderingUnderWay<About> {
  readonly state: number;
  readonly work: SharedWork<CachedContent<About>>;
}

/** Contents that are rendered once for each state, for all who ask for it, and kept while there is room. */
export class RenderCache<About extends Stated> {
  readonly kept: ContentCache<About>;
  /** The latest of each key. */
  private readonly underWay = new Map<string, RenderingUnderWay<About>>();

  constructor(bounds: ContentBounds, boundsOfOwner = bounds) {
    this.kept = new ContentCache(bounds, boundsOfOwner);
  }

  /**
   * That content in that state, or in a later one. What was kept in a later one is not taken for it: after a failover the database
   * may never get to that state.
   * @throws ServiceError `unavailable`, and whatever rendering throws
   */
  async find(wanted: WantedContent<About>, gone: AbortSignal): Promise<HeldContent<About>> {
    const { key, state, isIt = () => true } = wanted;
    const kept = this.kept.find(key);
    const isCurrent = kept?.about.state === state && isIt(kept.about);
    return this.kept.use(key, isCurrent ? kept : await this.renderingOf(wanted).work.wait(gone));
  }

  /** Forgets a content if nobody asks for that state any more. */
  forgetIf(key: string, isPast: (state: number) => boolean): void {
    const kept = this.kept.find(key);
    if (kept !== undefined && isPast(kept.about.state)) this.kept.forget(key);
  }

  /** One that has not begun will see all that is there by now, whatever state it was asked for. */
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
