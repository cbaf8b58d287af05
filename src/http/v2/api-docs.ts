import { applyDecorators } from '@nestjs/common';
import type { ErrorCode } from '../../common/service-error.js';
import { HTTP_ERROR_STATUS, type HttpErrorCode } from '../errors/http-error.js';
import {
  ApiExtraModels,
  ApiHeader,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
  ApiProperty,
  ApiPropertyOptional,
} from '../openapi/decorators.js';
import { type DescribedError, describeErrors, type ErrorDescription } from '../openapi/described-errors.js';
import { describeOperation, type OperationDescription } from '../openapi/operation.js';
import type { CollectionRules } from './parameters.js';
import { V2_ERRORS, V2_REFUSALS } from './errors.js';

type V2ErrorCode = ErrorCode | HttpErrorCode;

export interface V2OperationDescription extends OperationDescription {
  /** Path parameters that are UUIDs, with the errors of an unknown id. */
  readonly ids?: Readonly<Record<string, ErrorCode | readonly ErrorCode[]>>;
  readonly list?: CollectionRules;
  /** Other parameters: `ApiIfNoneMatch()`, `ApiParam({ … })`. */
  readonly parameters?: readonly MethodDecorator[];
  readonly bodyErrors?: readonly ErrorCode[];
  readonly errors?: readonly V2ErrorCode[];
}

export function V2Operation(operation: V2OperationDescription): MethodDecorator {
  const { ids = {}, list, parameters = [], bodyErrors, errors, ...described } = operation;
  return describeOperation(described, {
    parameters: [
      ...Object.entries(ids).map(([name, codes]) => ApiV2Id(name, ...[codes].flat())),
      ...(list === undefined ? [] : [ApiV2Collection(list)]),
      ...parameters,
    ],
    errors: [
      ...(bodyErrors === undefined ? [] : [ApiV2Body(...bodyErrors)]),
      ...(errors === undefined ? [] : [ApiV2Errors(...errors)]),
    ],
  });
}

export function ApiV2Errors(...codes: V2ErrorCode[]): MethodDecorator & ClassDecorator {
  return applyDecorators(ApiExtraModels(V2ErrorDto), ...describeErrors(codes.map(entryOf), DESCRIPTION));
}

function exampleOf({ status, type, message }: Required<DescribedError>): object {
  const errors = type === 'invalid_object' ? [{ path: 'ttl', message, validator: 'minimum' } as const] : [];
  return V2_REFUSALS.bodyOf(
    { status, type, message, errors, reason: type, params: {} },
    'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10',
  );
}

function entryOf(code: V2ErrorCode): DescribedError {
  return code in V2_ERRORS
    ? V2_ERRORS[code as ErrorCode]
    : { status: HTTP_ERROR_STATUS[code as HttpErrorCode], type: code };
}

/** Documents the shared parts of a controller's operations: the token, admin headers, and errors of all operations. */
export function V2Operations(tag: string): ClassDecorator {
  return applyDecorators(
    ApiTags(tag),
    ApiSecurity('token'),
    ApiHeader({ name: 'X-Auth-All-Projects', required: false, description: 'Admins: `true` to reach every project.' }),
    ApiHeader({ name: 'X-Auth-Sudo-Project-ID', required: false, description: 'Admins: the project to act for.' }),
    ApiV2Errors('access_denied', 'forbidden', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );
}

function ApiV2Id(name: string, ...codes: ErrorCode[]): MethodDecorator {
  return applyDecorators(
    ApiParam({ name, type: String, format: 'uuid', description: 'Also in upper case, or without dashes.' }),
    ApiV2Errors('invalid_uuid', ...codes),
  );
}

function ApiV2Body(...codes: ErrorCode[]): MethodDecorator {
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

function ApiV2Collection({ filters, sortKeys }: CollectionRules): MethodDecorator {
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

export const V2_LOCATION = {
  Location: { description: 'Absolute URL of what was made.', schema: { type: 'string' } },
} as const;

const TYPES = [
  ...new Set([...Object.values(V2_ERRORS).map(({ type }) => type), ...Object.keys(HTTP_ERROR_STATUS)]),
].sort();

class V2FieldErrorDto {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    example: ['records', 0],
    description: 'Names of fields and indexes in lists; empty for the whole object.',
  })
  path!: (string | number)[];

  @ApiProperty({ example: 'ttl must not be less than 0.' })
  message!: string;

  @ApiProperty({
    enum: ['required', 'type', 'enum', 'format', 'maxLength', 'minimum', 'maximum', 'additionalProperties'],
    example: 'minimum',
  })
  validator!: string;
}

class V2FieldErrorsDto {
  @ApiProperty({ type: [V2FieldErrorDto] })
  errors!: V2FieldErrorDto[];
}

class V2UnauthorizedDto {
  @ApiProperty({ type: 'integer', example: 401 })
  code!: number;

  @ApiProperty({ example: 'Unauthorized' })
  title!: string;

  @ApiProperty()
  message!: string;
}

class V2ErrorDto {
  @ApiProperty({ type: 'integer', example: 400 })
  code!: number;

  @ApiProperty({ enum: TYPES, example: 'invalid_object' })
  type!: string;

  @ApiProperty({ example: 'ttl must not be less than 0.', description: 'The fault and its remedy.' })
  message!: string;

  @ApiPropertyOptional({ type: V2FieldErrorsDto, description: 'One entry for each field that is wrong.' })
  errors?: V2FieldErrorsDto;

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;

  @ApiPropertyOptional({ type: V2UnauthorizedDto, description: 'Of a 401 only.' })
  error?: V2UnauthorizedDto;
}

const DESCRIPTION: ErrorDescription = { schema: V2ErrorDto.name, bodyOf: exampleOf };
