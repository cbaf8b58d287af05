import { applyDecorators } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors, ApiIdempotencyKey, ApiIfMatch } from '../../http/v1/api-docs.js';
import { DomainDto } from '../../zones/v1/domain.mapper.js';
import { DoneChangeSetDto } from '../../records/v1/done-change-set.mapper.js';
import { ChangesDto } from './dto/changes.dto.js';
import { DeletedDomainsDto } from './dto/deleted-domains.dto.js';
import { TenantChangesDto } from './dto/tenant-changes.dto.js';
import { DiffDto, DiffQueryDto } from './dto/diff.dto.js';
import { HistoryDto } from './dto/history.dto.js';
import { HistoryOfNameQueryDto, HistoryQueryDto } from './dto/history-query.dto.js';

/** The API description of history, apart from the controller, so that its methods stay readable. */
export const ApiHistory = () =>
  applyDecorators(
    ApiTags('history'),
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

const ApiDomainId = () => ApiParam({ name: 'domain_id', type: String, format: 'uuid' });

export const ApiHistoryOfDomain = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listHistory',
      summary: 'List what happened to a domain',
      description:
        'Latest first; `links.next` leads to what is older, also where a search has found nothing yet. Its owner may ask by the id of a deleted domain too.',
    }),
    ApiDomainId(),
    ApiQuery({ type: HistoryQueryDto }),
    ApiOkResponse({ type: HistoryDto }),
  );

export const ApiHistoryOfName = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listHistoryOfName',
      summary: 'List what happened to the domain of a name',
      description: 'Of your domain, and when you have none of that name, of the one that you had last.',
    }),
    ApiQuery({ type: HistoryOfNameQueryDto }),
    ApiOkResponse({ type: HistoryDto }),
  );

export const ApiChangesOfDomain = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listChanges',
      summary: 'List the changes of a domain',
      description: 'Latest first, each as a whole: who made it, when, what it is for, and how many records it changed.',
    }),
    ApiDomainId(),
    ApiOkResponse({ type: ChangesDto }),
  );

export const ApiChangesOfTenant = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listChangesOfAllDomains',
      summary: 'List the changes of all domains of the tenant',
      description:
        'Latest first, those of deleted domains too. `links.next` leads to what is older, also where nothing has been found yet.',
    }),
    ApiOkResponse({ type: TenantChangesDto }),
  );

export const ApiDeletedDomains = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listDeletedDomains',
      summary: 'List the domains that the tenant has deleted',
      description: 'As long as their history is kept, which is found by their ids.',
    }),
    ApiOkResponse({ type: DeletedDomainsDto }),
  );

export const ApiRestoreDeleted = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'restoreDeletedDomain',
      summary: 'Make a deleted domain again',
      description:
        'From its history, with the fields and records that it had when it was deleted, as a new domain: it has another id, and so have its records. One change, judged by the rules and quotas of today.',
    }),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid', description: 'The id that it had.' }),
    ApiOkResponse({
      type: DomainDto,
      headers: { Location: { description: 'Absolute URL of the new domain.', schema: { type: 'string' } } },
    }),
    ApiIdempotencyKey(),
    ApiErrors('change_not_allowed', 'invalid_location', 'invalid_ttl', 'serial_not_found'),
    ApiErrors('inside_foreign_zone', 'contains_foreign_zone', 'duplicate_zone', 'request_in_progress'),
    ApiErrors('over_quota', 'payload_too_large', 'unsupported_content_type'),
  );

export const ApiDiff = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'diffSerials',
      summary: 'Compare a domain at two serials',
      description: 'Net, record by record: what was changed and changed back is not listed.',
    }),
    ApiDomainId(),
    ApiQuery({ type: DiffQueryDto }),
    ApiOkResponse({ type: DiffDto }),
    ApiErrors('zone_not_found', 'serial_not_found'),
  );

export const ApiRevert = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'revertDomain',
      summary: 'Restore the records of a domain as they were at a serial, or undo one change',
      description:
        'One change set, judged by the rules and quotas of today. Records that come back have their former ids. The `errors` of a refusal count as the diff from the present serial does.',
    }),
    ApiDomainId(),
    ApiOkResponse({ type: DoneChangeSetDto }),
    ApiIdempotencyKey(),
    ApiIfMatch(),
    ApiErrors('change_not_allowed', 'invalid_location', 'invalid_ttl', 'serial_not_found', 'duplicate_record'),
    ApiErrors('request_in_progress'),
    ApiErrors('over_quota', 'payload_too_large', 'unsupported_content_type'),
  );
