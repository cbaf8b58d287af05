import { applyDecorators } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../http/v1/api-docs.js';
import { PublicationDto, PublicationQueryDto } from './dto/publication.dto.js';

/** The API description of publication, apart from the controller, so that its methods stay readable. */
export const ApiPublication = () =>
  applyDecorators(
    ApiTags('publication'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors(
      'invalid_object',
      'access_denied',
      'zone_not_found',
      'unsupported_accept',
      'rate_limited',
      'unknown',
      'unavailable',
    ),
  );

export const ApiPublicationOfDomain = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'getPublication',
      summary: 'Show which name servers have the latest change of a domain',
      description:
        'With `wait` the answer comes as soon as all of them have it, or when the time is up; `published` tells which.' +
        ' Changes that are made while it waits do not make it wait longer.',
    }),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid' }),
    ApiQuery({ type: PublicationQueryDto }),
    ApiOkResponse({ type: PublicationDto }),
  );
