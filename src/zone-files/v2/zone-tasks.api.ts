import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiResponse,
} from '../../http/openapi/decorators.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/entity-tags.js';
import { ApiV2Collection, ApiV2Errors, ApiV2Id, V2_LOCATION } from '../../http/v2/api-docs.js';
import type { CollectionRules } from '../../http/v2/collection-query.js';
import { ZoneExportDto, ZoneExportListDto, ZoneImportDto, ZoneImportListDto } from './dto/zone-task.dto.js';

/** What the lists of imports and exports can be asked for. */
export const TASK_LIST: CollectionRules = {
  filters: ['status', 'message', 'zone_id'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at' },
};

const EXAMPLE = `$ORIGIN example.org.
@   3600 IN SOA ns1.example.net. hostmaster.example.org. 1 3600 600 86400 3600
www      IN A   192.0.2.3
`;

export const ApiCreateExport = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Export a zone to be fetched later',
      description: 'The zone as it is now, for a day. The body is empty.',
    }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiResponse({ status: 202, type: ZoneExportDto, headers: V2_LOCATION, description: 'It has started.' }),
    ApiV2Errors('over_quota'),
  );

export const ApiListExports = () =>
  applyDecorators(
    ApiOperation({ summary: 'List exports' }),
    ApiV2Collection(TASK_LIST),
    ApiOkResponse({ type: ZoneExportListDto }),
  );

export const ApiGetExport = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get an export' }),
    ApiV2Id('export_id', 'zone_export_not_found'),
    ApiOkResponse({ type: ZoneExportDto }),
  );

export const ApiFetchExport = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get the text of an export', description: 'The zone as it was when it was exported.' }),
    ApiV2Id('export_id', 'zone_export_not_found', 'zone_not_found', 'serial_not_found'),
    ApiProduces('text/dns'),
    ApiOkResponse({ schema: { type: 'string' }, headers: ENTITY_TAG }),
    ApiIfNoneMatch(),
    ApiV2Errors('over_quota'),
  );

export const ApiDeleteExport = () =>
  applyDecorators(
    ApiOperation({ summary: 'Delete an export' }),
    ApiV2Id('export_id', 'zone_export_not_found'),
    ApiNoContentResponse({ description: 'It is deleted.' }),
  );

export const ApiCreateImport = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Create a zone from a zone file',
      description:
        'The file is checked afterwards: if something is wrong with it, the status of the import is `ERROR`, its message says what, and nothing is stored.' +
        ' Name, email and ttl of the zone are those of the SOA record; NS records of the apex are left out.',
    }),
    ApiConsumes('text/dns'),
    ApiBody({ schema: { type: 'string' }, examples: { zone: { value: EXAMPLE } } }),
    ApiResponse({ status: 202, type: ZoneImportDto, headers: V2_LOCATION, description: 'It has started.' }),
    ApiV2Errors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiListImports = () =>
  applyDecorators(
    ApiOperation({ summary: 'List imports' }),
    ApiV2Collection(TASK_LIST),
    ApiOkResponse({ type: ZoneImportListDto }),
  );

export const ApiGetImport = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get an import' }),
    ApiV2Id('import_id', 'zone_import_not_found'),
    ApiOkResponse({ type: ZoneImportDto }),
  );

export const ApiDeleteImport = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Delete an import',
      description: 'The zone that it has made stays; an import that has not finished makes none.',
    }),
    ApiV2Id('import_id', 'zone_import_not_found'),
    ApiNoContentResponse({ description: 'It is deleted.' }),
  );
