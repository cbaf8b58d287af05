import { Injectable } from '@nestjs/common';
import { HttpOptions } from './http.options.js';
import type { ApiRequest } from './request.js';

/** Makes the absolute URLs of `Location` and links (behaviour 1.7). */
@Injectable()
export class AbsoluteUrl {
  constructor(private readonly options: HttpOptions) {}

  /** `path` begins with a slash. */
  of(request: ApiRequest, path: string): string {
    return `${this.options.baseUri ?? this.ownBase(request)}${path}`;
  }

  /** The path in front of our own paths, as a client has to send it: `''` or one without a slash at its end. */
  prefixOf(request: ApiRequest): string {
    const { baseUri, trustsProxies } = this.options;
    if (baseUri !== null) return new URL(baseUri).pathname.replace(/\/$/, '');
    return trustsProxies ? (request.header('X-Forwarded-Prefix') ?? '') : '';
  }

  /** Express honours X-Forwarded-* in `protocol` and `host`, from the configured proxies only (proxies/proxy-headers.ts). */
  private ownBase(request: ApiRequest): string {
    const fallback = `${request.socket.localAddress ?? 'localhost'}:${String(request.socket.localPort)}`;
    return `${request.protocol}://${request.host || fallback}${this.prefixOf(request)}`;
  }
}
