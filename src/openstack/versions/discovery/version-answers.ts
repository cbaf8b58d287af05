import { Injectable } from '@nestjs/common';
import { AbsoluteUrl } from '../../../http/absolute-url.js';
import type { ApiRequest } from '../../../http/request.js';
import type { Version } from '../versions.js';
import type { VersionDto } from './version.dto.js';

/** Versions as clients see them, each with a link to itself. */
@Injectable()
export class VersionAnswers {
  constructor(private readonly absoluteUrl: AbsoluteUrl) {}

  of(request: ApiRequest, { id, status, path }: Version): VersionDto {
    return { id, status, links: [{ href: this.absoluteUrl.of(request, path), rel: 'self' }] };
  }
}
