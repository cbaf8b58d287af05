import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { isProtected } from '../../config/address-readers.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import type { ApiRequest } from '../../http/request.js';

/** Tells requests of the service's pages from cross-site requests (behaviour 3.8). */
@Injectable()
export class OwnPage {
  constructor(private readonly urls: AbsoluteUrl) {}

  /** The URL as a browser reaches it. Throws `access_denied` for an invalid host. */
  urlOf(request: ApiRequest, path: string): URL {
    const url = this.urls.of(request, path);
    // A proxy may forward an invalid host.
    if (!URL.canParse(url)) throw new ServiceError('access_denied', 'The host that was asked for is none.');
    return new URL(url);
  }

  prefixOf(request: ApiRequest): string {
    return this.urls.prefixOf(request);
  }

  /** Pages cannot forge these headers. Older browsers send only `Origin`. */
  isSender(request: ApiRequest): boolean {
    const { 'sec-fetch-site': site, origin } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    return origin !== undefined && origin === this.urlOf(request, '/').origin;
  }

  assertSender(request: ApiRequest): void {
    if (this.isSender(request)) return;
    throw new ServiceError('access_denied', 'Sessions are for the pages of this service; send a token instead.');
  }

  /** Whether cookies are limited to https. Throws `access_denied` without https, except on this machine. */
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
