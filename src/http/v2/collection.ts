import { Injectable } from '@nestjs/common';
import { AbsoluteUrl } from '../absolute-url.js';
import type { ApiRequest } from '../request.js';
import { saysYes } from './truth.js';

/** A page of a list, as it is to be shown. */
export interface CollectionPage {
  readonly entries: readonly object[];
  /** The id after which the list goes on; `null` on its last page. */
  readonly next: string | null;
  /** How many entries there are on all pages; `null` where the list does not say. */
  readonly total: number | null;
}

/** Makes the links of objects and lists. They begin as the request did (behaviour 1.7). */
@Injectable()
export class V2Links {
  constructor(private readonly absoluteUrl: AbsoluteUrl) {}

  /**
   * The `links` of an object.
   * @param path begins with `/v2/`
   */
  self(request: ApiRequest, path: string): { self: string } {
    return { self: this.to(request, path) };
  }

  /** An absolute URL, also for `Location`. */
  to(request: ApiRequest, path: string): string {
    return this.absoluteUrl.of(request, path);
  }

  /** `{"<field>": [...], "links": {"self", "next"?}, "metadata"?: {"total_count"}}` */
  collectionOf(field: string, { entries, next, total }: CollectionPage, request: ApiRequest): Record<string, unknown> {
    const links = {
      self: this.here(request, null),
      ...(next === null ? {} : { next: this.here(request, next) }),
    };
    const isCounted = total !== null && !saysYes(request.header('OpenStack-DNS-Hide-Counts'));
    return { [field]: entries, links, ...(isCounted ? { metadata: { total_count: total } } : {}) };
  }

  /** The request itself, or the page after `marker`. A request target may be a whole URL (RFC 9112 §3.2.2). */
  private here(request: ApiRequest, marker: string | null): string {
    const { originalUrl } = request;
    const path = originalUrl.startsWith('/') ? originalUrl : originalUrl.replace(/^[^/]*\/\/[^/]*/, '');
    if (marker === null) return this.absoluteUrl.of(request, path);
    const [pathname = '', ...query] = path.split('?');
    const parameters = new URLSearchParams(query.join('?'));
    parameters.set('marker', marker);
    return this.absoluteUrl.of(request, `${pathname}?${parameters.toString()}`);
  }
}
