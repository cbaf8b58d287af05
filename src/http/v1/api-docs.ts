import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiParam,
  ApiSecurity,
  ApiTags,
  ApiProperty,
  ApiPropertyOptional,
} from '../openapi/decorators.js';
import { because, REFUSAL_REASONS, type RefusalParam } from '../../common/refusal-facts.js';
import type { FieldError, SharedErrorCode } from '../../common/service-error.js';
import { errorBody } from '../errors/error-table.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import { type DescribedError, describeErrors, type ErrorDescription } from '../openapi/described-errors.js';
import { describeOperation, type OperationDescription } from '../openapi/operation.js';
import { V1_ERRORS } from './errors.js';

type V1ErrorCode = SharedErrorCode | HttpErrorCode;

export interface V1Operation extends OperationDescription {
  readonly ids?: readonly string[];
  /** Other parameters: `ApiIfMatch()`, `ApiIdempotencyKey()`, `ApiQuery({ … })`. */
  readonly parameters?: readonly MethodDecorator[];
  readonly errors?: readonly V1ErrorCode[];
  /** Errors of the request body, in addition to those of all bodies. */
  readonly bodyErrors?: readonly V1ErrorCode[];
}

export function Operation(operation: V1Operation): MethodDecorator {
  const { ids = [], parameters = [], errors, bodyErrors, ...described } = operation;
  return describeOperation(described, {
    parameters: [...ids.map((name) => ApiParam({ name, type: String, format: 'uuid' })), ...parameters],
    errors: [
      ...(errors === undefined ? [] : [ApiErrors(...errors)]),
      ...(bodyErrors === undefined ? [] : [ApiErrors(...bodyErrors, 'payload_too_large', 'unsupported_content_type')]),
    ],
  });
}

/** Shared parts of a controller's operations, in addition to the token and the errors of all operations. */
interface SharedByOperations {
  readonly ids?: readonly string[];
  readonly errors?: readonly V1ErrorCode[];
  /** Whether admins may act for other tenants by headers (behaviour 3.2). */
  readonly hasAdminHeaders?: boolean;
}

export function Operations(tag: string, shared: SharedByOperations = {}): ClassDecorator {
  const { ids = [], errors = [], hasAdminHeaders = true } = shared;
  return applyDecorators(
    ApiTags(tag),
    ApiSecurity('token'),
    ...(hasAdminHeaders ? [ApiAdminHeaders()] : []),
    ...ids.map((name) => ApiParam({ name, type: String, format: 'uuid' }) as ClassDecorator),
    ApiErrors(...errors, 'access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );
}

/** Codes of the same status share its entry. */
export function ApiErrors(...codes: V1ErrorCode[]): MethodDecorator & ClassDecorator {
  return applyDecorators(ApiExtraModels(ErrorDto), ...describeErrors(codes.map(entryOf), DESCRIPTION));
}

function exampleOf({ status, type, message }: Required<DescribedError>): object {
  const isOfField = type === 'invalid_object';
  const facts = because('minimum', { minimum: 1 });
  const errors: FieldError[] = isOfField ? [{ path: 'ttl', message, validator: 'minimum', facts }] : [];
  const told = isOfField ? facts : { reason: type, params: {} };
  return errorBody({ status, type, message, errors, ...told }, 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10');
}

function entryOf(code: V1ErrorCode): DescribedError {
  return code in V1_ERRORS
    ? V1_ERRORS[code as SharedErrorCode]
    : { status: HTTP_ERROR_STATUS[code as HttpErrorCode], type: code };
}

export function ApiAdminHeaders(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({ name: 'X-Auth-All-Projects', required: false, description: 'Admins: `true` to reach every tenant.' }),
    ApiHeader({ name: 'X-Auth-Sudo-Tenant-ID', required: false, description: 'Admins: the tenant to act for.' }),
  );
}

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

export function TenantOperations(tag: string): ClassDecorator {
  return applyDecorators(
    ApiTags(tag),
    ApiSecurity('token'),
    ApiParam({ name: 'tenant_id', type: String, description: 'Any string up to 255 characters.' }),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );
}

const TYPES = [
  ...new Set([...Object.values(V1_ERRORS).map(({ type }) => type), ...Object.keys(HTTP_ERROR_STATUS)]),
].sort();

const VALIDATORS = ['required', 'type', 'enum', 'format', 'maxLength', 'minimum', 'maximum', 'additionalProperties'];
const FINE = Object.keys(REFUSAL_REASONS);
const PARAMS = {
  type: 'object' as const,
  additionalProperties: {
    nullable: true,
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
  },
  example: { minimum: 1 },
  description: 'What the message says of this one case, so that programs can say it in words of their own.',
};

class FieldErrorDto {
  @ApiProperty({ example: 'ttl', description: 'The field, or an empty string for the whole object.' })
  path!: string;

  @ApiProperty({ example: 'ttl must not be less than 1.' })
  message!: string;

  @ApiProperty({
    enum: VALIDATORS,
    example: 'minimum',
  })
  validator!: string;

  @ApiProperty({
    enum: [...new Set([...VALIDATORS, ...FINE])],
    example: 'minimum',
    description: 'The validator, or a finer word.',
  })
  code!: string;

  @ApiProperty(PARAMS)
  params!: Record<string, RefusalParam>;
}

class ErrorDto {
  @ApiProperty({ type: 'integer', example: 400 })
  code!: number;

  @ApiProperty({ enum: TYPES, example: 'invalid_object' })
  type!: string;

  @ApiProperty({
    example: 'minimum',
    description: 'A finer word than the type, where there is one, otherwise the type.',
  })
  reason!: string;

  @ApiProperty(PARAMS)
  params!: Record<string, RefusalParam>;

  @ApiProperty({ example: 'ttl must not be less than 1.', description: 'The fault and its remedy.' })
  message!: string;

  @ApiPropertyOptional({ type: [FieldErrorDto], description: 'One entry for each field that is wrong.' })
  errors?: FieldErrorDto[];

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;
}

const DESCRIPTION: ErrorDescription = { schema: ErrorDto.name, bodyOf: exampleOf };
