import { Injectable } from '@nestjs/common';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import type { ApiRequest } from '../../http/request.js';
import type { VersionDto } from './version.dto.js';

/** What the list of versions needs of the configuration. */
export abstract class VersionsOptions {
  /** Whether there are paths under `/v2`. */
  abstract readonly hasVersion2: boolean;
}

/**
 * Minor versions of 2. Clients find out with them that there is a version 2 at all; gophercloud refuses a service with
 * another word for a status.
 */
const MINOR_VERSIONS = [
  { id: 'v2', status: 'SUPPORTED' },
  // With it came the sharing of zones.
  { id: 'v2.1', status: 'CURRENT' },
  { id: 'v2.0', status: 'SUPPORTED' },
] as const;

/** The versions of the interface, as clients discover them. */
@Injectable()
export class Versions {
  constructor(
    private readonly absoluteUrl: AbsoluteUrl,
    private readonly options: VersionsOptions,
  ) {}

  all(request: ApiRequest): VersionDto[] {
    const v1 = this.v1(request);
    return this.options.hasVersion2
      ? [v1, ...MINOR_VERSIONS.map((version) => this.shown(version, '/v2', request))]
      : [v1];
  }

  v1(request: ApiRequest): VersionDto {
    return this.shown({ id: 'v1', status: 'DEPRECATED' }, '/v1', request);
  }

  v2(request: ApiRequest): VersionDto {
    return this.shown({ id: 'v2.1', status: 'CURRENT' }, '/v2', request);
  }

  private shown(version: Pick<VersionDto, 'id' | 'status'>, path: string, request: ApiRequest): VersionDto {
    return { ...version, links: [{ href: this.absoluteUrl.of(request, path), rel: 'self' }] };
  }
}
