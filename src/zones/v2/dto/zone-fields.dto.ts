import {
  NullableText,
  NullableTexts,
  OptionalChoice,
  OptionalInteger,
  OptionalLabels,
} from '../../../http/bodies/dto-fields.js';
import { IsString, MaxLength, ValidateBy } from '../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION, MAX_MAILBOX, MAX_TTL } from '../../../common/field-limits.js';
import { MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { ApiPropertyOptional, ApiProperty } from '../../../http/openapi/decorators.js';
import { type FieldError, ServiceError } from '../../../common/service-error.js';
import { ownApexNs } from '../../generation.js';
import type { NewSecondaryZone, NewZone, ZoneUpdate } from '../../zone-fields.js';
import type { ZoneType } from '../../zone.entity.js';
import { readLabels } from '../../../common/labels.js';
import { isText } from '../../../common/json.js';

abstract class ZoneFieldsDto {
  @ApiPropertyOptional({
    example: 'hostmaster@example.org',
    description: 'Of a `PRIMARY` zone, which has to have one.',
  })
  @MayBeAbsent()
  @MaxLength(MAX_MAILBOX)
  @IsString()
  email?: string;

  @OptionalInteger({ minimum: 0, maximum: MAX_TTL, example: 3600, description: 'Seconds.' })
  ttl?: number;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: 'Our public zone' })
  description?: string | null;

  @ApiPropertyOptional({
    type: [String],
    description:
      'Of a `SECONDARY` zone, which has to have some: addresses or names of name servers, with or without a port, such as `192.0.2.53:53`.',
  })
  @MayBeAbsent()
  @IsMasters()
  masters?: readonly string[];

  @NullableTexts({
    example: ['ns1.example.net.', 'ns2.example.net.'],
    description: 'Of a `PRIMARY` zone: NS of the apex in place of the generated ones; `null`: the generated ones.',
  })
  name_servers?: readonly string[] | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, example: { team: 'web' } })
  @MayBeAbsent()
  @IsAttributes()
  attributes?: SentAttributes;

  @OptionalLabels('All of its labels.')
  labels?: object;
}

export class CreateZoneDto extends ZoneFieldsDto {
  @ApiProperty({ example: 'example.org.', description: 'Absolute: it ends with a dot. Of two labels at least.' })
  @IsString()
  name!: string;

  @OptionalChoice({ enum: ['PRIMARY', 'SECONDARY'], description: 'Default: `PRIMARY`.' })
  type?: ZoneType;
}

/** @throws ServiceError `invalid_object` if a field is missing, or belongs to the other zone type */
export function toNewZone(body: CreateZoneDto): NewZone | NewSecondaryZone {
  const { name, email, ttl, description = null, type = 'PRIMARY', masters = [], attributes = {}, labels = {} } = body;
  const names = body.name_servers ?? null;
  const common = { name, description, attributes: toAttributes(attributes), labels: readLabels(labels) };
  if (type === 'SECONDARY') {
    assertNone([
      ...(attributes.template === undefined ? [] : [foreign('attributes.template', type)]),
      ...(body.masters === undefined ? [missing('masters', 'a SECONDARY zone')] : []),
      ...(email === undefined ? [] : [foreign('email', type)]),
      ...(ttl === undefined ? [] : [foreign('ttl', type)]),
      ...(names === null ? [] : [foreign('name_servers', type)]),
    ]);
    return { ...common, masters };
  }
  const faults = masters.length > 0 ? [foreign('masters', type)] : [];
  if (email !== undefined && faults.length === 0)
    return { ...common, email, ...(ttl === undefined ? {} : { ttl }), apexNs: ownApexNs(names) };
  throw ServiceError.ofFields('invalid_object', [
    ...(email === undefined ? [missing('email', 'a PRIMARY zone')] : []),
    ...faults,
  ]);
}

/** Behaviour 28.4: the attribute of a new zone that names a template. */
export function templateIn({ attributes = {} }: Pick<NewZone, 'attributes'>): string | undefined {
  return attributes.template;
}

function assertNone(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw ServiceError.ofFields('invalid_object', faults);
}

function missing(path: string, of: string): FieldError {
  return { path, validator: 'required', message: `${path} is required for ${of}.` };
}

function foreign(path: string, type: ZoneType): FieldError {
  return { path, validator: 'additionalProperties', message: `${path} cannot be set for a ${type} zone.` };
}

/** Name and type cannot change. */
export class UpdateZoneDto extends ZoneFieldsDto {}

export function toZoneUpdate({ attributes, labels, name_servers: names, ...fields }: UpdateZoneDto): ZoneUpdate {
  return {
    ...fields,
    ...(attributes === undefined ? {} : { attributes: toAttributes(attributes) }),
    ...(labels === undefined ? {} : { labels: readLabels(labels) }),
    ...(names === undefined ? {} : { apexNs: ownApexNs(names) }),
  };
}

/** Validates the list; the core validates each primary. */
function IsMasters(): PropertyDecorator {
  return ValidateBy({
    name: 'isMasters',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
      defaultMessage: () => 'masters is a list of name servers, such as ["192.0.2.53:53"]',
    },
  });
}

/** In characters. */
const LONGEST_KEY = 50;
const LONGEST_VALUE = 255;

/** Numbers and booleans are stored as text. */
type SentAttributes = Readonly<Record<string, string | number | boolean>>;

function IsAttributes(): PropertyDecorator {
  return ValidateBy({
    name: 'isAttributes',
    validator: {
      validate: isAttributes,
      defaultMessage: () =>
        `attributes is an object of texts, with keys of at most ${LONGEST_KEY} characters and values of at most ${LONGEST_VALUE}`,
    },
  });
}

function toAttributes(sent: SentAttributes): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, String(value)]));
}

function isAttributes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, one]) => isText(key) && key.length <= LONGEST_KEY && isAttribute(one));
}

function isAttribute(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return isText(value) && value.length <= LONGEST_VALUE;
}

/** Admins may create top-level zones, and the root. */
export function assertSeveralLabels(name: string): void {
  if (!/^[^.]*\.$/.test(name)) return;
  const message = `${JSON.stringify(name)} has ${name === '.' ? 'no' : 'one'} label; only an admin may create a zone with fewer than two.`;
  throw ServiceError.ofField('invalid_zone_name', 'name', 'format', message);
}
