import { applyDecorators } from '@nestjs/common';
import { JSON_LINES_TYPE, JSON_TYPE } from '../../../http/bodies/media-types.js';
import {
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '../../../http/openapi/decorators.js';
import { ApiErrors } from '../../../http/v1/api-docs.js';
import { AuditQueryDto } from './dto/audit-query.dto.js';
import { AuditDto, AuditEntryDto } from './dto/audit.dto.js';

export const ApiAudit = () =>
  applyDecorators(
    ApiTags('audit'),
    ApiSecurity('token'),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiListAudit = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listAudit',
      summary: 'List who did what',
      description:
        'Of all tenants, latest first; `links.next` leads to what is older, also where a search has found nothing yet. As JSON lines it is everything that is asked for, one entry a line.',
    }),
    ApiQuery({ type: AuditQueryDto }),
    ApiExtraModels(AuditDto, AuditEntryDto),
    ApiOkResponse({
      description: 'Entries of the audit.',
      content: {
        [JSON_TYPE]: { schema: { $ref: '#/components/schemas/AuditDto' } },
        [JSON_LINES_TYPE]: { schema: { $ref: '#/components/schemas/AuditEntryDto' } },
      },
    }),
  );
