import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { isProtected } from '../../config/address-readers.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import type { ApiRequest } from '../../http/request.js';

/** Tells requests of our own pages from those that other sites have a browser send (behaviour 3.8). */
@Injectable()
export class OwnPage {
  constructor(private readonly urls: AbsoluteUrl) {}

  /**
   * The URL of something below the page, as a browser reaches it.
   * @throws ServiceError `access_denied` where it has none
   */
  urlOf(request: ApiRequest, path: string): URL {
    const url = this.urls.of(request, path);
    // What a proxy passes on may be no host.
    if (!URL.canParse(url)) throw new ServiceError('access_denied', 'The host that was asked for is none.');
    return new URL(url);
  }

  /** The path in front of ours, for where a browser is sent to. */
  prefixOf(request: ApiRequest): string {
    return this.urls.prefixOf(request);
  }

  /** Browsers say where a request comes from, and let no page say otherwise; older ones have `Origin` alone. */
  isSender(request: ApiRequest): boolean {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    return origin !== undefined && origin === this.urlOf(request, '/').origin;
  }

  /** @throws ServiceError `access_denied` */
  assertSender(request: ApiRequest): void {
    if (this.isSender(request)) return;
    throw new ServiceError('access_denied', 'Sessions are for the pages of this service; send a token instead.');
  }

  /**
   * Whether cookies may go over the encrypted connections of https alone.
   * @throws ServiceError `access_denied` where there are none, and the request does not stay on this machine
   */
  isSecure(request: ApiRequest): boolean {
    const url = this.urlOf(request, '/');
    if (url.protocol === 'https:') return true;
    if (isProtected(url)) return false;
    throw new ServiceError(
      'access_denied',
      'Open the console over https://, or on loopback. Behind a proxy, set trusted_proxies or api_base_uri.',
    );
  }
}
