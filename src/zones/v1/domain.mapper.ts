import { LABELS, ShownLabels } from '../../http/bodies/dto-fields.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../http/openapi/decorators.js';
import { type Labels, labelsOf } from '../../common/labels.js';
import { formatInstant, type Instant, formatInstantOrNull } from '../../common/clock.js';
import { readApexNs } from '../generation.js';
import type { ZoneSnapshot } from '../../plugins/change-listener.js';
import type { ZoneEntity } from '../zone.entity.js';

export class DomainDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ example: 'example.org.', description: 'Absolute, as it was sent.' })
  name!: string;

  @ApiProperty({
    example: 'hostmaster@example.org',
    description: 'The mailbox of its administrator, for the SOA record.',
  })
  email!: string;

  @ApiProperty({
    type: 'integer',
    example: 3600,
    description: 'Seconds; for record sets that have no ttl of their own.',
  })
  ttl!: number;

  @ApiProperty({
    type: 'integer',
    example: 1763600000,
    description: 'Of the SOA record; every accepted change raises it.',
  })
  serial!: number;

  @ApiNullableText({ example: null })
  description!: string | null;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'UTC, with microseconds.' })
  created_at!: string;

  @ApiNullableText({ example: null, description: '`null` until the domain is updated.' })
  updated_at!: string | null;

  @ApiPropertyOptional({
    type: [String],
    example: ['ns1.example.net.', 'ns2.example.net.'],
    description: 'NS of the apex in place of the generated ones. Left out where the domain has those.',
  })
  name_servers?: readonly string[];

  @ShownLabels()
  labels?: Labels;
}

/** A change of the labels of a record set, in a step of its zone. */
export class LabeledSetStepDto {
  @ApiProperty({ example: 'www.example.org.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({ ...LABELS, example: {} })
  before!: Labels;

  @ApiProperty(LABELS)
  after!: Labels;
}

type WithSet = Pick<ZoneSnapshot, 'recordSet'> | null;

export function toLabeledSetStep(before: WithSet, after: WithSet): { readonly record_set?: LabeledSetStepDto } {
  const [former, set] = [before?.recordSet, after?.recordSet];
  if (!former || !set) return {};
  return { record_set: { name: set.name, type: set.type, before: former.labels, after: set.labels } };
}

/** A zone from its row or from the journal. */
export type ZoneToShow = ShownFields &
  (Pick<ZoneEntity, 'apexNs' | 'labels'> | Pick<ZoneSnapshot, 'generation' | 'labels'>);

interface ShownFields {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly description: string | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant | null;
}

export function toDomainDto(domain: ZoneToShow): DomainDto {
  const { id, name, email, ttl, serial, description, createdAt, updatedAt } = domain;
  return {
    id,
    name,
    email,
    ttl,
    serial,
    description,
    created_at: formatInstant(createdAt),
    updated_at: formatInstantOrNull(updatedAt),
    ...ownNameServersOf(domain),
    ...shownLabels(domain.labels),
  };
}

function shownLabels(stored: ZoneToShow['labels']): Pick<DomainDto, 'labels'> {
  const labels = typeof stored === 'string' ? labelsOf({ labels: stored }) : stored;
  return labels ? { labels } : {};
}

function ownNameServersOf(domain: ZoneToShow): Pick<DomainDto, 'name_servers'> {
  const { names } = ('apexNs' in domain ? readApexNs(domain) : domain.generation?.apexNs) ?? NO_NAMES;
  return names.length === 0 ? {} : { name_servers: names };
}

const NO_NAMES = { names: [] };
