import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiParam, ApiResponse, ApiSecurity } from '../openapi/decorators.js';
import type { SharedErrorCode } from '../../common/service-error.js';
import { JSON_TYPE, PROBLEM_TYPE } from '../bodies/media-types.js';
import { ErrorDto, ProblemDto } from '../errors/error.dto.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import { V1_ERRORS } from './errors.js';

/** Written out, because an error is JSON also where the operation `@ApiProduces` another media type. */
const content = {
  [JSON_TYPE]: { schema: { $ref: '#/components/schemas/ErrorDto' } },
  [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/ProblemDto' } },
};

/** Documents the errors of an operation by their codes. Codes of the same status share its entry. */
export function ApiErrors(...codes: (SharedErrorCode | HttpErrorCode)[]): MethodDecorator & ClassDecorator {
  const entries = codes.map(entryOf);
  const statuses = [...new Set(entries.map(({ status }) => status))];
  return applyDecorators(
    ApiExtraModels(ErrorDto, ProblemDto),
    ...statuses.map((status) => {
      const types = entries.filter((entry) => entry.status === status).map(({ type }) => `\`${type}\``);
      return ApiResponse({ status, content, description: types.join(', ') });
    }),
  );
}

function entryOf(code: SharedErrorCode | HttpErrorCode): { readonly status: number; readonly type: string } {
  return code in V1_ERRORS
    ? V1_ERRORS[code as SharedErrorCode]
    : { status: HTTP_ERROR_STATUS[code as HttpErrorCode], type: code };
}

/** Documents the headers by which an admin reaches other tenants' data (behaviour 3.2). */
export function ApiAdminHeaders(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({ name: 'X-Auth-All-Projects', required: false, description: 'Admins: `true` to reach every tenant.' }),
    ApiHeader({ name: 'X-Auth-Sudo-Tenant-ID', required: false, description: 'Admins: the tenant to act for.' }),
  );
}

/** Documents an operation that a client may repeat without its being carried out again (behaviour 10.2). */
export function ApiIdempotencyKey(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        '1 to 255 visible characters. For 24 hours the same request with the same key gets the first answer again, with' +
        ' `Idempotent-Replayed: true`.',
    }),
    ApiErrors('idempotency_key_reused'),
  );
}

/** Documents a change that may depend on what it finds (behaviour 10.1). */
export function ApiIfMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description: 'Entity tags, or `*`: 412 unless one of them is the current one.',
    }),
    ApiErrors('bad_request', 'precondition_failed'),
  );
}

/** Documents a read that a client may have the answer of already (behaviour 10.1). */
export function ApiIfNoneMatch(): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'Entity tags: 304 when one is the current one.' }),
    ApiResponse({ status: 304, description: 'It is as the client has it.' }),
  );
}

/** Documents the `ETag` of an answer. */
export const ENTITY_TAG = { ETag: { description: 'Changes with what is shown.', schema: { type: 'string' } } } as const;

/** Documents what all operations on a tenant have in common. */
export function ApiTenantOperations(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiSecurity('token'),
    ApiParam({ name: 'tenant_id', type: String, description: 'Any string up to 255 characters.' }),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );
}
