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

  /** Express honours X-Forwarded-* in `protocol` and `host`, from the configured proxies only. */
  private ownBase(request: ApiRequest): string {
    const fallback = `${request.socket.localAddress ?? 'localhost'}:${String(request.socket.localPort)}`;
    return `${request.protocol}://${request.host || fallback}`;
  }
}
