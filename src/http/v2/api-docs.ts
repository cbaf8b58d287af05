import { applyDecorators } from '@nestjs/common';
import type { ErrorCode } from '../../common/service-error.js';
import { JSON_TYPE, PROBLEM_TYPE } from '../bodies/media-types.js';
import { ProblemDto } from '../errors/error.dto.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import {
  ApiExtraModels,
  ApiHeader,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiSecurity,
  ApiTags,
} from '../openapi/decorators.js';
import type { CollectionRules } from './collection-query.js';
import { V2ErrorDto } from './error.dto.js';
import { V2_ERRORS } from './errors.js';

/** Written out, because an error is JSON also where the operation `@ApiProduces` another media type. */
const content = {
  [JSON_TYPE]: { schema: { $ref: '#/components/schemas/V2ErrorDto' } },
  [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/ProblemDto' } },
};

/** Documents the errors of an operation of version 2 by their codes. Codes of the same status share its entry. */
export function ApiV2Errors(...codes: (ErrorCode | HttpErrorCode)[]): MethodDecorator & ClassDecorator {
  const entries = codes.map(entryOf);
  const statuses = [...new Set(entries.map(({ status }) => status))];
  return applyDecorators(
    ApiExtraModels(V2ErrorDto, ProblemDto),
    ...statuses.map((status) => {
      const types = entries.filter((entry) => entry.status === status).map(({ type }) => `\`${type}\``);
      return ApiResponse({ status, content, description: [...new Set(types)].join(', ') });
    }),
  );
}

function entryOf(code: ErrorCode | HttpErrorCode): { readonly status: number; readonly type: string } {
  return code in V2_ERRORS
    ? V2_ERRORS[code as ErrorCode]
    : { status: HTTP_ERROR_STATUS[code as HttpErrorCode], type: code };
}

/** Documents what all operations of a controller have in common: the credential, and the headers that widen it. */
export function ApiV2Operations(tag: string): ClassDecorator {
  return applyDecorators(
    ApiTags(tag),
    ApiSecurity('token'),
    ApiHeader({ name: 'X-Auth-All-Projects', required: false, description: 'Admins: `true` to reach every project.' }),
    ApiHeader({ name: 'X-Auth-Sudo-Project-ID', required: false, description: 'Admins: the project to act for.' }),
    ApiV2Errors('access_denied', 'forbidden', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );
}

/** Documents an id in the path. */
export function ApiV2Id(name: string, ...codes: ErrorCode[]): MethodDecorator {
  return applyDecorators(
    ApiParam({ name, type: String, format: 'uuid', description: 'Also in upper case, or without dashes.' }),
    ApiV2Errors('invalid_uuid', ...codes),
  );
}

/** Documents an operation that reads a body. */
export function ApiV2Body(...codes: ErrorCode[]): MethodDecorator {
  return ApiV2Errors(
    'empty_request_body',
    'invalid_json',
    'invalid_object',
    ...codes,
    'payload_too_large',
    'unsupported_content_type',
  );
}

/** Documents the parameters of a list. */
export function ApiV2Collection({ filters, sortKeys }: CollectionRules): MethodDecorator {
  return applyDecorators(
    ...filters.map((name) => ApiQuery({ name, type: String, required: false, description: '`*` is any text.' })),
    ApiQuery({ name: 'limit', type: String, required: false, example: '20', description: '1 to 1000, or `max`.' }),
    ApiQuery({ name: 'marker', type: String, format: 'uuid', required: false, description: 'The last id.' }),
    ApiQuery({ name: 'sort_key', enum: Object.keys(sortKeys), required: false }),
    ApiQuery({ name: 'sort_dir', enum: ['asc', 'desc'], required: false }),
    ApiV2Errors(
      'bad_filter',
      'invalid_limit',
      'invalid_marker',
      'invalid_sort_dir',
      'invalid_sort_key',
      'marker_not_found',
    ),
  );
}

/** The `Location` of an answer that says what was made. */
export const V2_LOCATION = {
  Location: { description: 'Absolute URL of what was made.', schema: { type: 'string' } },
} as const;
