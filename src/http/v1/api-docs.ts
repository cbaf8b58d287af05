import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiParam, ApiSecurity } from '../openapi/decorators.js';
import { because } from '../../common/refusal-facts.js';
import type { FieldError, SharedErrorCode } from '../../common/service-error.js';
import { errorBody } from '../errors/error-body.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import { type DescribedError, describeErrors, type ErrorDescription } from '../openapi/described-errors.js';
import { ErrorDto } from './error.dto.js';
import { V1_ERRORS } from './errors.js';

const DESCRIPTION: ErrorDescription = { schema: ErrorDto.name, bodyOf: exampleOf };

/** Documents the errors of an operation by their codes. Codes of the same status share its entry. */
export function ApiErrors(...codes: (SharedErrorCode | HttpErrorCode)[]): MethodDecorator & ClassDecorator {
  return applyDecorators(ApiExtraModels(ErrorDto), ...describeErrors(codes.map(entryOf), DESCRIPTION));
}

function exampleOf({ status, type, message }: Required<DescribedError>): object {
  const isOfField = type === 'invalid_object';
  const facts = because('minimum', { minimum: 1 });
  const errors: FieldError[] = isOfField ? [{ path: 'ttl', message, validator: 'minimum', facts }] : [];
  const told = isOfField ? facts : { reason: type, params: {} };
  return errorBody({ status, type, message, errors, ...told }, 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10');
}

function entryOf(code: SharedErrorCode | HttpErrorCode): DescribedError {
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

/** Documents what all operations on a tenant have in common. */
export function ApiTenantOperations(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiSecurity('token'),
    ApiParam({ name: 'tenant_id', type: String, description: 'Any string up to 255 characters.' }),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );
}
