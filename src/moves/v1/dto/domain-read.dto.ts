import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from '../../../http/bodies/class-validator.js';
import { ChoiceField, OptionalTexts, TextField } from '../../../http/bodies/dto-fields.js';
import { MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { ApiNullableText, ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { readField, ServiceError } from '../../../common/service-error.js';
import {
  readAlgorithm,
  readKeyName,
  readSecret,
  TSIG_ALGORITHMS,
  type TsigKey,
} from '../../../dns/message/tsig/tsig-key.js';
import { DomainName, NameError } from '../../../dns/name.js';
import { parseDomainName } from '../../../dns/owner-name.js';
import type { AskedServer } from '../../asked-servers.js';
import type { DomainRead, ReadRequest } from '../../domain-reads.service.js';
import { FAILURES, type Failure } from '../../failure.js';

const MAX_TEXT = 255;

export class ReadKeyDto {
  @TextField({ maxLength: MAX_TEXT, example: 'transfer.example.net.' })
  name!: string;

  @TextField({ maxLength: MAX_TEXT, example: 'hmac-sha256', description: '`hmac-sha256`, `-sha384` or `-sha512`.' })
  algorithm!: string;

  @TextField({ maxLength: MAX_TEXT, example: 'c2VjcmV0IG9mIHNpeHRlZW4=', description: 'In base64. It is not stored.' })
  secret!: string;
}

export const METHODS = ['transfer', 'queries'] as const;

export class ReadDomainDto {
  @TextField({ maxLength: MAX_TEXT, example: 'example.org.', description: 'The final dot may be left out.' })
  name!: string;

  @ChoiceField({
    enum: METHODS,
    example: 'queries',
    description: '`transfer` (AXFR) gives the whole domain; `queries` ask for common names and types.',
  })
  method!: (typeof METHODS)[number];

  @OptionalTexts({
    example: ['ns1.example.net', '192.0.2.53'],
    minItems: 1,
    maxItems: 8,
    description: 'Host names or addresses; left out: the name servers that a resolver finds for the domain.',
  })
  name_servers?: string[];

  @ApiPropertyOptional({ type: ReadKeyDto, description: 'Signs the transfer.' })
  @MayBeAbsent()
  @IsObject()
  @ValidateNested()
  @Type(() => ReadKeyDto)
  tsig_key?: ReadKeyDto;
}

export class TriedServerDto {
  @ApiProperty({ example: 'ns1.example.net:53', description: 'As the request names it, or as it was found.' })
  name!: string;

  @ApiNullableText({ example: '192.0.2.53' })
  address!: string | null;

  @ApiProperty({
    enum: FAILURES,
    nullable: true,
    example: null,
    description: 'Why it gave nothing, or `null`.',
  })
  reason!: Failure | null;

  @ApiNullableText({ example: null })
  error!: string | null;
}

class LeftOutDto {
  @ApiProperty({ example: 'RRSIG' })
  type!: string;

  @ApiProperty({ type: 'integer', example: 40 })
  count!: number;
}

class QuestionsDto {
  @ApiProperty({ type: 'integer', example: 214 })
  asked!: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Questions without a usable answer in time.' })
  unanswered!: number;

  @ApiProperty({ type: [String], example: ['example.org.', 'www.example.org.'] })
  names!: string[];
}

export class DomainReadDto {
  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ enum: METHODS, example: 'queries' })
  method!: (typeof METHODS)[number];

  @ApiProperty({ example: false, description: 'Whether it is the whole domain, by a transfer.' })
  complete!: boolean;

  @ApiNullableText({
    example: 'www.example.org.\t3600\tIN\tA\t192.0.2.3\n',
    description: 'A zone file with absolute names; `null` if no server gave anything.',
  })
  zone_file!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Records in `zone_file`.' })
  records!: number;

  @ApiProperty({ type: [LeftOutDto], description: 'Records that signing makes, by type.' })
  left_out!: LeftOutDto[];

  @ApiProperty({ type: [TriedServerDto], description: 'Each server that was tried, in this order.' })
  name_servers!: TriedServerDto[];

  @ApiProperty({ type: QuestionsDto, nullable: true, description: '`null` for a transfer.' })
  questions!: QuestionsDto | null;
}

/** @throws ServiceError `invalid_object` */
export function toReadRequest({ name, method, name_servers: servers, tsig_key: key }: ReadDomainDto): ReadRequest {
  if (key !== undefined && method !== 'transfer')
    throw ServiceError.ofField(
      'invalid_object',
      'tsig_key',
      'additionalProperties',
      'tsig_key: only a transfer is signed; leave it out, or send method=transfer.',
    );
  const zone = readField('name', NameError, () => parseDomainName(name.endsWith('.') ? name : `${name}.`));
  return { zone, method, nameServers: servers ?? null, key: key === undefined ? null : toTsigKey(key) };
}

/** The message of a wrong secret does not quote it. */
function toTsigKey({ name, algorithm, secret }: ReadKeyDto): TsigKey {
  const keyName = readKeyName(name);
  const known = readAlgorithm(algorithm);
  const octets = readSecret(secret);
  if (keyName === null) throw faultOf('name', 'write a name such as transfer.example.net.');
  if (known === null) throw faultOf('algorithm', `write ${TSIG_ALGORITHMS.join(', ')}`);
  if (octets === null) throw faultOf('secret', 'write at least 16 octets in base64');
  return { name: DomainName.parse(keyName), algorithm: known, secret: octets };
}

function faultOf(field: string, remedy: string): ServiceError {
  const path = `tsig_key.${field}`;
  return ServiceError.ofField('invalid_object', path, 'format', `${path}: ${remedy}.`);
}

export function toDomainReadDto(
  { zone, method }: ReadRequest,
  { servers, file, questions }: DomainRead,
): DomainReadDto {
  return {
    name: zone.toString(),
    method,
    complete: method === 'transfer' && file !== null,
    zone_file: file === null ? null : file.toString(),
    records: file?.records ?? 0,
    left_out: [...(file?.leftOut ?? [])].map(([type, count]) => ({ type, count })),
    name_servers: servers.map(toTriedServerDto),
    questions: questions && { asked: questions.asked, unanswered: questions.unanswered, names: questions.names },
  };
}

export function toTriedServerDto({ name, address, failure }: AskedServer): TriedServerDto {
  return { name, address, reason: failure?.reason ?? null, error: failure?.message ?? null };
}
