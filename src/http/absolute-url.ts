import { Injectable } from '@nestjs/common';
import { HttpOptions } from './http.options.js';
import type { ApiRequest } from './request.js';

@Injectable()
export class AbsoluteUrl {
  constructor(private readonly options: HttpOptions) {}

  /** @param path begins with a slash */
  of(request: ApiRequest, path: string): string {
    return `${this.options.baseUri ?? this.ownBase(request)}${path}`;
  }

  /** Path prefix for clients: `''`, or a path without a trailing slash. */
  prefixOf(request: ApiRequest): string {
    const { baseUri, trustsProxies } = this.options;
    if (baseUri !== null) return new URL(baseUri).pathname.replace(/\/$/, '');
    return trustsProxies ? (request.header('X-Forwarded-Prefix') ?? '') : '';
  }

  /** Express trusts X-Forwarded-* of configured proxies only (proxies/proxy-headers.ts). */
  private ownBase(request: ApiRequest): string {
    const fallback = `${request.socket.localAddress ?? 'localhost'}:${String(request.socket.localPort)}`;
    return `${request.protocol}://${request.host || fallback}${this.prefixOf(request)}`;
  }
}
