import { HTTP_ERROR_STATUS } from '../errors/http-error.js';
import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';
import { V2_ERRORS } from './errors.js';

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

/** The body of every error of version 2. */
export class V2ErrorDto {
  @ApiProperty({ type: 'integer', example: 400 })
  code!: number;

  @ApiProperty({ enum: TYPES, example: 'invalid_object' })
  type!: string;

  @ApiProperty({ example: 'ttl must not be less than 0.', description: 'What is wrong and what to do about it.' })
  message!: string;

  @ApiPropertyOptional({ type: V2FieldErrorsDto, description: 'One entry for each field that is wrong.' })
  errors?: V2FieldErrorsDto;

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;

  @ApiPropertyOptional({ type: V2UnauthorizedDto, description: 'Of a 401 only.' })
  error?: V2UnauthorizedDto;
}
