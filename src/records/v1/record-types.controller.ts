import type { FieldDescription } from '../../dns/rdata/data-in-fields.js';
import { fieldsOf, shownIn } from '../../dns/rdata/fields-of.js';
import { type RecordType, RecordTypes } from '../../dns/rdata/index.js';
import { ownerRuleOf, placementRulesOf } from '../../dns/rdata/rules-in-words.js';
import { ApiProperty, ApiNullableText } from '../../http/openapi/decorators.js';
import { hash } from 'node:crypto';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/headers.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';

const KINDS: readonly FieldDescription['kind'][] = [
  'number',
  'choice',
  'ipv4',
  'ipv6',
  'host_name',
  'domain_name',
  'text',
  'hexadecimal',
  'base64',
  'record_type',
  'parameter',
  'presentation',
];

export class FieldValueDto {
  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }], example: 2 })
  value!: number | string;

  @ApiProperty({ example: 'SHA-256' })
  label!: string;
}

/** Field of a record type, for forms (behaviour 4.8). */
export class FieldDto {
  @ApiProperty({ example: 'fingerprint_type' })
  name!: string;

  @ApiProperty({ example: 'Fingerprint type' })
  label!: string;

  @ApiProperty({ enum: KINDS, example: 'choice' })
  kind!: FieldDescription['kind'];

  @ApiProperty({ example: '1, 2', description: 'What the field is made of, in a few words.' })
  form!: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Of a number.' })
  minimum!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'Of a number; of a text, in octets.' })
  maximum!: number | null;

  @ApiProperty({
    type: [FieldValueDto],
    nullable: true,
    description: 'All values of a choice; of other kinds those that are known.',
  })
  values!: readonly FieldValueDto[] | null;

  @ApiProperty({ example: false, description: 'The field is a list of such values.' })
  repeats!: boolean;

  @ApiProperty({ example: false, description: 'The field may be left out.' })
  optional!: boolean;
}

export class RecordExampleDto {
  @ApiProperty({ example: 'host.example.org.' })
  name!: string;

  @ApiProperty({ example: '4 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' })
  data!: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  priority!: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: {
      algorithm: 4,
      fingerprint_type: 2,
      fingerprint: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    },
  })
  fields!: Readonly<Record<string, unknown>> | null;
}

export class RecordTypeDto {
  @ApiProperty({ example: 'SSHFP' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 44 })
  code!: number;

  @ApiProperty({ example: 'RFC 4255 §3.1', description: 'Where the type is defined.' })
  rfc!: string;

  @ApiProperty({ type: FieldDto, nullable: true, example: null, description: 'The field that `priority` is.' })
  priority!: FieldDto | null;

  @ApiNullableText({ example: null, description: 'What owner names must be, as a sentence.' })
  owner_rule!: string | null;

  @ApiProperty({ type: [String], example: [], description: 'Where records may stand, a sentence for each rule.' })
  placement_rules!: readonly string[];

  @ApiProperty({ type: [FieldDto], description: 'In the order of `data`.' })
  fields!: readonly FieldDto[];

  @ApiProperty({ type: RecordExampleDto })
  example!: RecordExampleDto;
}

class RecordTypesDto {
  @ApiProperty({ type: [RecordTypeDto] })
  record_types!: readonly RecordTypeDto[];

  @ApiProperty({
    example: true,
    description: 'Whether types that have only a number, TYPEn, are taken; their one field is `data`, hexadecimal.',
  })
  numbered_types!: boolean;
}

function toRecordTypesDto(types: RecordTypes): RecordTypesDto {
  return { record_types: [...types].map(toRecordTypeDto), numbered_types: types.includesNumbers };
}

function toRecordTypeDto(type: RecordType): RecordTypeDto {
  const { name, code, rfc, example } = type;
  const { descriptions, priority } = fieldsOf(type);
  const { name: owner, data, priority: itsPriority } = example;
  return {
    name,
    code,
    rfc,
    priority: priority && toFieldDto(priority),
    owner_rule: ownerRuleOf(type)[0] ?? null,
    placement_rules: placementRulesOf(type),
    fields: descriptions.map(toFieldDto),
    example: { name: owner, data, priority: itsPriority, fields: shownIn(type, data, itsPriority) },
  };
}

function toFieldDto(field: FieldDescription): FieldDto {
  const { name, label, kind, form, minimum = null, maximum = null, values = null } = field;
  return {
    name,
    label,
    kind,
    form,
    minimum,
    maximum,
    values,
    repeats: field.repeats ?? false,
    optional: field.optional ?? false,
  };
}

interface Answer {
  readonly body: RecordTypesDto;
  readonly entityTag: string;
}

/** Describes the record types for form builders (behaviour 4.8). */
@Operations('records', { hasAdminHeaders: false })
@Controller('v1/record-types')
export class RecordTypesController {
  /** Cached at the first request; never changes while the service runs. */
  private answer: Answer | null = null;

  constructor(private readonly types: RecordTypes) {}

  @Get()
  @Operation({
    summary: 'List the record types, with the fields of their data',
    description:
      'Those of plugins too, and without those that are switched off. It changes with the configuration only.',
    parameters: [ApiIfNoneMatch()],
    response: { type: RecordTypesDto, headers: ENTITY_TAG },
  })
  list(@Res({ passthrough: true }) response: Response): RecordTypesDto {
    const { body, entityTag } = (this.answer ??= answerOf(this.types));
    response.setHeader('ETag', entityTag);
    return body;
  }
}

function answerOf(types: RecordTypes): Answer {
  const body = toRecordTypesDto(types);
  return { body, entityTag: `"${hash('sha256', JSON.stringify(body), 'base64url').slice(0, 22)}"` };
}
