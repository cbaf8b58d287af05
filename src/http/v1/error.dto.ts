import { REFUSAL_REASONS, type RefusalParam } from '../../common/refusal-facts.js';
import { HTTP_ERROR_STATUS } from '../errors/http-error.js';
import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';
import { V1_ERRORS } from './errors.js';

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

/** The body of every error of version 1 (behaviour 2.1). */
export class ErrorDto {
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

  @ApiProperty({ example: 'ttl must not be less than 1.', description: 'What is wrong and what to do about it.' })
  message!: string;

  @ApiPropertyOptional({ type: [FieldErrorDto], description: 'One entry for each field that is wrong.' })
  errors?: FieldErrorDto[];

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;
}
