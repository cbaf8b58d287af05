import { Controller, Get, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '../http/openapi/decorators.js';
import { Public } from '../auth/access.decorators.js';
import { AbsoluteUrl } from '../http/absolute-url.js';
import { ApiErrors } from '../http/v1/api-docs.js';
import type { ApiRequest } from '../http/request.js';

class LinkDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v1' })
  href!: string;

  @ApiProperty({ example: 'self' })
  rel!: string;
}

class VersionDto {
  @ApiProperty({ example: 'v1' })
  id!: string;

  @ApiProperty({ example: 'DEPRECATED' })
  status!: string;

  @ApiProperty({ type: [LinkDto] })
  links!: LinkDto[];
}

class VersionValuesDto {
  @ApiProperty({ type: [VersionDto] })
  values!: VersionDto[];
}

class VersionListDto {
  @ApiProperty({ type: VersionValuesDto })
  versions!: VersionValuesDto;
}

class OneVersionDto {
  @ApiProperty({ type: VersionDto })
  version!: VersionDto;
}

/** Lists the versions of the interface, without a credential (behaviour 1.2). */
@ApiTags('versions')
@Public()
@Controller()
export class VersionsController {
  constructor(private readonly absoluteUrl: AbsoluteUrl) {}

  @Get()
  @ApiOperation({ summary: 'List the versions of the interface' })
  @ApiOkResponse({ type: VersionListDto })
  @ApiErrors('unsupported_accept')
  list(@Req() request: ApiRequest): VersionListDto {
    return { versions: { values: [this.v1(request)] } };
  }

  @Get('v1')
  @ApiOperation({ summary: 'Describe version 1' })
  @ApiOkResponse({ type: OneVersionDto })
  @ApiErrors('unsupported_accept')
  describe(@Req() request: ApiRequest): OneVersionDto {
    return { version: this.v1(request) };
  }

  private v1(request: ApiRequest): VersionDto {
    return { id: 'v1', status: 'DEPRECATED', links: [{ href: this.absoluteUrl.of(request, '/v1'), rel: 'self' }] };
  }
}
