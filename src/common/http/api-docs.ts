import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ErrorCode } from '../service-error.js';
import { ERROR_STATUS } from './error-status.js';
import { JSON_TYPE, PROBLEM_TYPE } from './media-types.js';

class FieldErrorDto {
  @ApiProperty({ example: 'ttl', description: 'The field, or an empty string for the whole object.' })
  path!: string;

  @ApiProperty({ example: 'ttl must not be less than 1.' })
  message!: string;

  @ApiProperty({
    enum: ['required', 'type', 'enum', 'format', 'maxLength', 'minimum', 'maximum', 'additionalProperties'],
    example: 'minimum',
  })
  validator!: string;
}

/** The body of every refusal (behaviour 2.1). */
export class ErrorDto {
  @ApiProperty({ type: 'integer', example: 400 })
  code!: number;

  @ApiProperty({ example: 'invalid_object' })
  type!: string;

  @ApiProperty({ example: 'ttl must not be less than 1.', description: 'What is wrong and the way out.' })
  message!: string;

  @ApiPropertyOptional({ type: [FieldErrorDto], description: 'One entry for each field at fault.' })
  errors?: FieldErrorDto[];

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;
}

/** The same facts as RFC 9457 (behaviour 2.2). */
export class ProblemDto {
  @ApiProperty({ format: 'uri', example: 'urn:zonewright:error:invalid_object' })
  type!: string;

  @ApiProperty({ example: 'Bad Request' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 400 })
  status!: number;

  @ApiProperty({ example: 'ttl must not be less than 1.' })
  detail!: string;

  @ApiPropertyOptional({ type: [FieldErrorDto], description: 'One entry for each field at fault.' })
  errors?: FieldErrorDto[];

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;
}

/** Written out, because a refusal is JSON also where the operation `@ApiProduces` something else. */
const content = {
  [JSON_TYPE]: { schema: { $ref: getSchemaPath(ErrorDto) } },
  [PROBLEM_TYPE]: { schema: { $ref: getSchemaPath(ProblemDto) } },
};

/** Documents the refusals of an operation by their codes; codes that share a status share its entry. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))];
  return applyDecorators(
    ApiExtraModels(ErrorDto, ProblemDto),
    ...statuses.map((status) => {
      const sharing = codes.filter((code) => ERROR_STATUS[code] === status);
      return ApiResponse({ status, content, description: sharing.map((code) => `\`${code}\``).join(', ') });
    }),
  );
}

/** The headers with which an admin reaches other tenants' data (behaviour 3.2). */
export function ApiAdminHeaders(): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiHeader({ name: 'X-Auth-All-Projects', required: false, description: 'Admins: `true` to reach every tenant.' }),
    ApiHeader({ name: 'X-Auth-Sudo-Tenant-ID', required: false, description: 'Admins: the tenant to act for.' }),
  );
}
