import { formatInstant } from '../../../common/clock.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { IntegerParameter } from '../../../http/lists/integer-parameter.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import type { Publication, ServerSyncStatus } from '../../pool/publications.service.js';

/** In seconds. */
const LONGEST_WAIT = 60;

export class PublicationQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: LONGEST_WAIT,
    example: 30,
    description: 'How many seconds the answer may wait until every server has the present serial; by default none.',
  })
  @MayBeAbsent()
  @IntegerParameter(0, LONGEST_WAIT)
  wait?: number;
}

class ServerPublicationDto {
  @ApiProperty({ example: '192.0.2.53:53' })
  address!: string;

  @ApiProperty({
    enum: ['current', 'inconsistent', 'behind', 'unreachable', 'unknown'],
    example: 'behind',
    description:
      '`current`: it has the serial or a later one; `inconsistent`: it has that, and answers otherwise for a record of the last changes, which `error` names; `behind`: it answers, but not with that; `unreachable`: it gives no answer that counts; `unknown`: it has not been heard of yet.',
  })
  state!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 1763627398,
    description: 'The serial that it has answered last.',
  })
  serial!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: '2026-11-20T08:29:58.123456',
    description: 'When it was first seen to have that serial, UTC.',
  })
  since!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 2,
    description: 'How far its serial is behind; 0 when not.',
  })
  behind!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: null,
    description: 'Since when it gives no answer that counts, UTC.',
  })
  unreachable_since!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'SOA: REFUSED', description: 'What was wrong last.' })
  error!: string | null;
}

export class PublicationDto {
  @ApiProperty({ type: 'integer', example: 1763627400, description: 'The serial that servers are to have.' })
  serial!: number;

  @ApiProperty({
    example: false,
    description: 'Whether every server has answered that serial or a later one; true where none is configured.',
  })
  published!: boolean;

  @ApiProperty({ type: [ServerPublicationDto] })
  servers!: ServerPublicationDto[];
}

export function toPublicationDto({ serial, isPublished, servers }: Publication): PublicationDto {
  return { serial, published: isPublished, servers: servers.map(toServerDto) };
}

function toServerDto(standing: ServerSyncStatus): ServerPublicationDto {
  const { server, state, serial, since, behind, failingSince, error } = standing;
  return {
    address: server,
    state,
    serial,
    since: since === null ? null : formatInstant(since),
    behind,
    unreachable_since: failingSince === null ? null : formatInstant(failingSince),
    error,
  };
}
