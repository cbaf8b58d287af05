import { Controller, Get, Req } from '@nestjs/common';
import { Public } from '../../../auth/access.decorators.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../../http/openapi/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { ApiV2Errors } from '../../../http/v2/api-docs.js';
import { VERSION_2 } from '../versions.js';
import { OneVersionDto, VersionAnswers } from './version.dto.js';

/** Describes version 2 to clients that are configured with its path instead of the root. */
@ApiTags('versions')
@Public()
@Controller('v2')
export class Version2Controller {
  constructor(private readonly answers: VersionAnswers) {}

  @Get()
  @ApiOperation({ summary: 'Describe version 2' })
  @ApiOkResponse({ type: OneVersionDto })
  @ApiV2Errors('unsupported_accept')
  describe(@Req() request: ApiRequest): OneVersionDto {
    return { version: this.answers.of(request, VERSION_2) };
  }
}
