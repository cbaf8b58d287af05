import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';

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

/** The body of every error (behaviour 2.1). */
export class ErrorDto {
  @ApiProperty({ type: 'integer', example: 400 })
  code!: number;

  @ApiProperty({ example: 'invalid_object' })
  type!: string;

  @ApiProperty({ example: 'ttl must not be less than 1.', description: 'What is wrong and what to do about it.' })
  message!: string;

  @ApiPropertyOptional({ type: [FieldErrorDto], description: 'One entry for each field that is wrong.' })
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

  @ApiPropertyOptional({ type: [FieldErrorDto], description: 'One entry for each field that is wrong.' })
  errors?: FieldErrorDto[];

  @ApiProperty({ example: 'req-6b1c2f0e-5a52-4c5e-9a39-0a4f0f0f3a10' })
  request_id!: string;
}
