import { applyDecorators } from '@nestjs/common';
import type { ErrorCode } from '../../common/service-error.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import { ApiExtraModels, ApiHeader, ApiParam, ApiQuery, ApiSecurity, ApiTags } from '../openapi/decorators.js';
import { type DescribedError, describeErrors, type ErrorDescription } from '../openapi/described-errors.js';
import type { CollectionRules } from './collection-query.js';
import { V2ErrorDto } from './error.dto.js';
import { V2_ERRORS } from './errors.js';
import { V2_REFUSALS } from './refusals.js';

const DESCRIPTION: ErrorDescription = { schema: V2ErrorDto.name, bodyOf: exampleOf };

/** Documents the errors of an operation of version 2 by their codes. Codes of the same status share its entry. */
export function ApiV2Errors(...codes: (ErrorCode | HttpErrorCode)[]): MethodDecorator & ClassDecorator {
  return applyDecorators(ApiExtraModels(V2ErrorDto), ...describeErrors(codes.map(entryOf), DESCRIPTION));
}

function exampleOf({ status, type, message }: Required<DescribedError>): object {
  const errors = type === 'invalid_object' ? [{ path: 'ttl', message, validator: 'minimum' } as const] : [];
  return V2_REFUSALS.bodyOf(
    { status, type, message, errors, reason: type, params: {} },
    'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10',
  );
}

function entryOf(code: ErrorCode | HttpErrorCode): DescribedError {
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

const LIMIT = {
  oneOf: [
    { type: 'integer', minimum: 1 },
    { type: 'string', enum: ['max'] },
  ],
};

/** Documents the parameters of a list. */
export function ApiV2Collection({ filters, sortKeys }: CollectionRules): MethodDecorator {
  return applyDecorators(
    ...filters.map((name) => ApiQuery({ name, type: String, required: false, description: '`*` is any text.' })),
    ApiQuery({ name: 'limit', schema: LIMIT, required: false, description: 'Default: 20.' }),
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
