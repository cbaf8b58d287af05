import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiProduces,
} from '../../http/openapi/decorators.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/entity-tags.js';
import { ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors, ApiIdempotencyKey, ApiIfMatch } from '../../http/v1/api-docs.js';
import { ImportReportDto } from './dto/import-report.dto.js';
import { ZoneCheckDto } from './dto/zone-check.dto.js';

const EXAMPLE = `$TTL 3600
www     IN A     192.0.2.3
        IN AAAA  2001:db8::3
@       IN MX    10 mail
mail    IN A     192.0.2.25
`;

const RECORD = {
  id: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d',
  name: 'www.example.org.',
  type: 'A',
  created_at: '2026-11-20T08:30:00.123456',
  updated_at: null,
  ttl: null,
  data: '192.0.2.3',
  domain_id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4',
  priority: null,
  description: null,
};
const COUNTS = { created: 0, updated: 1, unchanged: 30, removed: 0, skipped: 2, repairs: [] };
const DIFFERENCE = {
  action: 'update',
  before: RECORD,
  after: { ...RECORD, updated_at: '2026-11-22T09:00:00.654321', ttl: 300 },
};
const REPORTS = {
  import: { summary: 'Stored', value: { mode: 'merge', dry_run: false, ...COUNTS } },
  diff: {
    summary: 'A dry run with diff=true',
    value: { mode: 'merge', dry_run: true, ...COUNTS, diff: [DIFFERENCE] },
  },
};

export const ApiZoneFiles = () =>
  applyDecorators(
    ApiTags('zone files'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid' }),
    ApiErrors('access_denied', 'zone_not_found', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiImportZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'importZone',
      summary: 'Import a zone file',
      description:
        'One change, all or nothing. A refusal lists the errors of every line. `$INCLUDE` is refused, `$GENERATE` is bounded.' +
        ' With `dry_run=true&diff=true` nothing is stored, and the records that would change are listed.',
    }),
    ApiConsumes('text/dns'),
    ApiBody({ schema: { type: 'string' }, examples: { zone: { value: EXAMPLE } } }),
    ApiOkResponse({ type: ImportReportDto, examples: REPORTS }),
    ApiIdempotencyKey(),
    ApiIfMatch(),
    ApiErrors('invalid_object', 'request_in_progress', 'over_quota'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiExportZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'exportZone',
      summary: 'Export a zone file',
      description:
        'SOA and apex NS first, then all names in canonical order, all of them as of one moment: now, or that of `serial` or `at`.',
    }),
    ApiProduces('text/dns'),
    ApiOkResponse({ schema: { type: 'string' }, headers: ENTITY_TAG }),
    ApiIfNoneMatch(),
    ApiErrors('invalid_object', 'serial_not_found', 'over_quota', 'signing_conflict'),
  );

export const ApiCheckZone = () =>
  applyDecorators(
    ApiOperation({ operationId: 'checkZone', summary: 'Check a domain as name servers do' }),
    ApiOkResponse({ type: ZoneCheckDto }),
  );
