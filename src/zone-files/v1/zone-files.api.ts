import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
} from '../../http/openapi/decorators.js';
import { ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors, ApiIdempotencyKey } from '../../http/v1/api-docs.js';
import { ImportReportDto } from './dto/import-report.dto.js';
import { ZoneCheckDto } from './dto/zone-check.dto.js';

const EXAMPLE = `$TTL 3600
www     IN A     192.0.2.3
        IN AAAA  2001:db8::3
@       IN MX    10 mail
mail    IN A     192.0.2.25
`;

export const ApiZoneFiles = () =>
  applyDecorators(
    ApiTags('zone files'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid' }),
    ApiErrors('access_denied', 'zone_not_found', 'unsupported_accept', 'unknown', 'unavailable'),
  );

export const ApiImportZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'importZones',
      summary: 'Import a zone file',
      description:
        'One change, all or nothing. A refusal lists the errors of every line. `$INCLUDE` is refused, `$GENERATE` is bounded.',
    }),
    ApiConsumes('text/dns'),
    ApiBody({ schema: { type: 'string' }, examples: { zone: { value: EXAMPLE } } }),
    ApiOkResponse({ type: ImportReportDto }),
    ApiIdempotencyKey(),
    ApiErrors('invalid_object', 'request_in_progress', 'over_quota', 'rate_limited'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiExportZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'exportZones',
      summary: 'Export a zone file',
      description:
        'SOA and apex NS first, then all names in canonical order, all of them as of one moment: now, or that of `serial` or `at`.',
    }),
    ApiProduces('text/dns'),
    ApiOkResponse({ schema: { type: 'string' } }),
    ApiErrors('invalid_object', 'serial_not_found', 'over_quota'),
  );

export const ApiCheckZone = () =>
  applyDecorators(
    ApiOperation({ operationId: 'checkZones', summary: 'Check a domain as name servers do' }),
    ApiOkResponse({ type: ZoneCheckDto }),
  );
