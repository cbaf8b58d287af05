import { Injectable } from '@nestjs/common';
import { AbsoluteUrl } from '../../../http/absolute-url.js';
import { ApiProperty } from '../../../http/openapi/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import type { Version } from '../versions.js';

class LinkDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v1' })
  href!: string;

  @ApiProperty({ example: 'self' })
  rel!: string;
}

export class VersionDto {
  @ApiProperty({ example: 'v1' })
  id!: string;

  @ApiProperty({ enum: ['CURRENT', 'SUPPORTED', 'DEPRECATED'], example: 'DEPRECATED' })
  status!: string;

  @ApiProperty({ type: [LinkDto] })
  links!: LinkDto[];
}

class VersionValuesDto {
  @ApiProperty({ type: [VersionDto] })
  values!: VersionDto[];
}

export class VersionListDto {
  @ApiProperty({ type: VersionValuesDto })
  versions!: VersionValuesDto;
}

export class OneVersionDto {
  @ApiProperty({ type: VersionDto })
  version!: VersionDto;
}

@Injectable()
export class VersionAnswers {
  constructor(private readonly absoluteUrl: AbsoluteUrl) {}

  of(request: ApiRequest, { id, status, path }: Version): VersionDto {
    return { id, status, links: [{ href: this.absoluteUrl.of(request, path), rel: 'self' }] };
  }
}
