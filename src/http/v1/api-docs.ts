import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiParam, ApiResponse, ApiSecurity, getSchemaPath } from '@nestjs/swagger';
import type { ErrorCode } from '../../common/service-error.js';
import { JSON_TYPE, PROBLEM_TYPE } from '../bodies/media-types.js';
import { ErrorDto, ProblemDto } from '../errors/error.dto.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import { V1_ERRORS } from './errors.js';

/** Written out, because a refusal is JSON also where the operation `@ApiProduces` something else. */
const content = {
  [JSON_TYPE]: { schema: { $ref: getSchemaPath(ErrorDto) } },
  [PROBLEM_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } },
};

/** Documents the refusals of an operation by their codes; codes that share a status share its entry. */
export function ApiErrors(...codes: (ErrorCode | HttpErrorCode)[]): MethodDecorator & ClassDecorator {
  const words = codes.map(wordOf);
  const statuses = [...new Set(words.map(({ status }) => status))];
  return applyDecorators(
    ApiExtraModels(ErrorDto, ProblemDto),
    ...statuses.map((status) => {
      const sharing = words.filter((word) => word.status === status);
      return ApiResponse({ status, content, description: sharing.map(({ type }) => `\`${type}\``).join(', ') });
    }),
  );
}

function wordOf(code: ErrorCode | HttpErrorCode): { readonly status: number; readonly type: string } {
  return code in V1_ERRORS
    ? V1_ERRORS[code as ErrorCode]
    : { status: HTTP_ERROR_STATUS[code as HttpErrorCode], type: code };
}

/** The headers with which an admin reaches other tenants' data (behaviour 3.2). */
export function ApiAdminHeaders(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({ name: 'X-Auth-All-Projects', required: false, description: 'Admins: `true` to reach every tenant.' }),
    ApiHeader({ name: 'X-Auth-Sudo-Tenant-ID', required: false, description: 'Admins: the tenant to act for.' }),
  );
}

/** What all operations on a tenant have in common. */
export function ApiTenantOperations(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiSecurity('token'),
    ApiParam({ name: 'tenant_id', type: String, description: 'Any string up to 255 characters.' }),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'unknown', 'unavailable'),
  );
}
