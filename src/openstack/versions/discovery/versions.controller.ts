import { Controller, Get, Req } from '@nestjs/common';
import { Public } from '../../../auth/access.decorators.js';
import { ApiErrors } from '../../../http/v1/api-docs.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../../http/openapi/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { VERSION_1, Versions } from '../versions.js';
import { OneVersionDto, VersionListDto, VersionAnswers } from './version.dto.js';

/** Lists the versions of the interface, without a credential (behaviour 1.2). */
@ApiTags('versions')
@Public()
@Controller()
export class VersionsController {
  constructor(
    private readonly versions: Versions,
    private readonly answers: VersionAnswers,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the versions of the interface' })
  @ApiOkResponse({ type: VersionListDto })
  @ApiErrors('unsupported_accept')
  list(@Req() request: ApiRequest): VersionListDto {
    return { versions: { values: this.versions.all.map((version) => this.answers.of(request, version)) } };
  }

  @Get('v1')
  @ApiOperation({ summary: 'Describe version 1' })
  @ApiOkResponse({ type: OneVersionDto })
  @ApiErrors('unsupported_accept')
  describe(@Req() request: ApiRequest): OneVersionDto {
    return { version: this.answers.of(request, VERSION_1) };
  }
}
