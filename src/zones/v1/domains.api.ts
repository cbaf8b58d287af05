import { applyDecorators } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '../../http/openapi/decorators.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/entity-tags.js';
import { ApiAdminHeaders, ApiErrors, ApiIdempotencyKey, ApiIfMatch } from '../../http/v1/api-docs.js';
import { DomainDto } from './domain.mapper.js';
import { DomainListDto } from './dto/domain-list.dto.js';
import { ServerListDto } from './dto/server.dto.js';

/** The API description of domains, apart from the controller, so that its methods stay readable. */
export const ApiDomains = () =>
  applyDecorators(
    ApiTags('domains'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

const location = { Location: { description: 'Absolute URL of the new domain.', schema: { type: 'string' } } } as const;

const ApiDomainId = () => ApiParam({ name: 'domain_id', type: String, format: 'uuid' });

export const ApiCreateDomain = () =>
  applyDecorators(
    ApiOperation({ summary: 'Create a domain' }),
    ApiOkResponse({ type: DomainDto, headers: location }),
    ApiIdempotencyKey(),
    ApiErrors('invalid_object', 'invalid_ttl', 'inside_foreign_zone', 'contains_foreign_zone'),
    ApiErrors('duplicate_zone', 'request_in_progress', 'over_quota'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiListDomains = () =>
  applyDecorators(
    ApiOperation({
      summary: 'List domains',
      description: 'Complete, in the order of creation, unless `limit` is sent.',
    }),
    ApiOkResponse({ type: DomainListDto }),
    ApiErrors('invalid_object'),
  );

export const ApiGetDomain = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get a domain' }),
    ApiDomainId(),
    ApiIfNoneMatch(),
    ApiOkResponse({ type: DomainDto, headers: ENTITY_TAG }),
    ApiErrors('zone_not_found'),
  );

export const ApiUpdateDomain = () =>
  applyDecorators(
    ApiOperation({ summary: 'Update a domain', description: 'Fields that are left out keep their values.' }),
    ApiDomainId(),
    ApiIfMatch(),
    ApiOkResponse({ type: DomainDto, headers: ENTITY_TAG }),
    ApiErrors('invalid_object', 'change_not_allowed', 'invalid_ttl', 'zone_not_found'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiDeleteDomain = () =>
  applyDecorators(
    ApiOperation({ summary: 'Delete a domain and its records' }),
    ApiDomainId(),
    ApiIfMatch(),
    ApiQuery({
      name: 'force',
      type: Boolean,
      required: false,
      description: 'Delete it although its parent zone has a DS of it.',
    }),
    ApiOkResponse({ description: 'The domain is deleted; the body is empty.' }),
    ApiErrors('zone_not_found', 'zone_has_child_zones', 'zone_is_shared', 'signing_conflict'),
  );

export const ApiListServers = () =>
  applyDecorators(
    ApiOperation({ summary: 'List the name servers of a domain' }),
    ApiDomainId(),
    ApiOkResponse({ type: ServerListDto }),
    ApiErrors('zone_not_found'),
  );
