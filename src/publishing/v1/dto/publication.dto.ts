import { OptionalIntegerParameter } from '../../../http/bodies/dto-fields.js';
import { formatInstantOrNull } from '../../../common/clock.js';
import { ApiProperty, ApiNullableText } from '../../../http/openapi/decorators.js';
import type { PoolServerStatus, Publication, ServerSyncStatus } from '../../pool/publications.service.js';

/** In seconds. */
const LONGEST_WAIT = 60;

export class PublicationQueryDto {
  @OptionalIntegerParameter({
    minimum: 0,
    maximum: LONGEST_WAIT,
    example: 30,
    description: 'How many seconds the answer may wait until every server has the present serial; by default none.',
  })
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

  @ApiNullableText({
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

  @ApiNullableText({
    example: '2026-11-20T08:29:59.123456',
    description: 'When the first change was made that it lacks, UTC; `null` if it is not `behind`.',
  })
  behind_since!: string | null;

  @ApiNullableText({ example: null, description: 'Since when it gives no answer that counts, UTC.' })
  unreachable_since!: string | null;

  @ApiNullableText({ example: 'SOA: REFUSED', description: 'Last error.' })
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
  const { server, state, serial, since, behind, behindSince, failingSince, error } = standing;
  return {
    address: server,
    state,
    serial,
    since: formatInstantOrNull(since),
    behind,
    behind_since: formatInstantOrNull(behindSince),
    unreachable_since: formatInstantOrNull(failingSince),
    error,
  };
}

class PoolServerDto {
  @ApiProperty({ example: '192.0.2.53:53' })
  address!: string;

  @ApiProperty({
    enum: ['answering', 'unreachable', 'unknown'],
    example: 'answering',
    description: '`unknown`: it has not been asked yet.',
  })
  state!: string;

  @ApiNullableText({
    example: '2026-11-20T08:29:58.123456',
    description: 'When it answered last, precise to 30 seconds, UTC.',
  })
  last_answer!: string | null;

  @ApiNullableText({ example: null, description: 'Since when it gives no answer, UTC.' })
  unreachable_since!: string | null;

  @ApiNullableText({ example: null, description: 'Why it gives none.' })
  error!: string | null;
}

export class PoolServersDto {
  @ApiProperty({ type: [PoolServerDto] })
  name_servers!: PoolServerDto[];
}

export function toPoolServerDto({ server, state, lastAnswer, failingSince, error }: PoolServerStatus): PoolServerDto {
  return {
    ...{ address: server, state, error },
    last_answer: formatInstantOrNull(lastAnswer),
    unreachable_since: formatInstantOrNull(failingSince),
  };
}
