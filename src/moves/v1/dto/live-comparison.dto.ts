import { OptionalIntegerParameter, OptionalText } from '../../../http/bodies/dto-fields.js';
import { LinksDto } from '../../../http/lists/paging.js';
import { ApiProperty } from '../../../http/openapi/decorators.js';
import { MOST_SETS } from '../../comparison-limits.js';
import type { LiveComparison, ShownSet } from '../../live-comparison.service.js';
import { toTriedServerDto, TriedServerDto } from './domain-read.dto.js';

const MAX_SERVERS_TEXT = 2100;
const MAX_MARKER = 1500;

export class LiveComparisonQueryDto {
  @OptionalText({
    maxLength: MAX_SERVERS_TEXT,
    example: 'ns1.example.net,192.0.2.53',
    description: '1 to 8 host names or addresses; left out: the name servers that a resolver finds for the domain.',
  })
  name_servers?: string;

  @OptionalIntegerParameter({ minimum: 1, maximum: MOST_SETS, description: 'The highest number of record sets.' })
  limit?: number;

  @OptionalText({ maxLength: MAX_MARKER, description: 'Where the comparison goes on, as `links.next` has it.' })
  marker?: string;
}

class ComparedSetDto {
  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({ type: 'integer', example: 3600 })
  ttl!: number;

  @ApiProperty({ type: [String], example: ['192.0.2.3'] })
  data!: string[];
}

const KINDS = ['missing', 'data', 'ttl'] as const;

class LiveDifferenceDto {
  @ApiProperty({ example: 'www.example.org.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({
    enum: KINDS,
    example: 'data',
    description: '`missing`: the servers have no such records; `ttl`: only the TTL differs.',
  })
  kind!: (typeof KINDS)[number];

  @ApiProperty({ type: ComparedSetDto })
  ours!: ComparedSetDto;

  @ApiProperty({ type: ComparedSetDto, nullable: true, description: 'Its `type` is CNAME for an alias there.' })
  theirs!: ComparedSetDto | null;

  @ApiProperty({ type: [String], example: ['ns1.example.net:53'], description: 'The servers that answer so.' })
  name_servers!: string[];
}

class UnansweredDto {
  @ApiProperty({ example: 'www.example.org.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;
}

export class LiveComparisonDto {
  @ApiProperty({ type: [TriedServerDto] })
  name_servers!: TriedServerDto[];

  @ApiProperty({ type: 'integer', example: 12, description: 'Record sets that were compared.' })
  compared!: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Record sets that are not to be compared.' })
  left_out!: number;

  @ApiProperty({ type: [LiveDifferenceDto] })
  differences!: LiveDifferenceDto[];

  @ApiProperty({ type: [UnansweredDto], description: 'Record sets without a usable answer.' })
  unanswered!: UnansweredDto[];

  @ApiProperty({ type: LinksDto, description: '`next` leads to further record sets.' })
  links!: LinksDto;
}

export function toLiveComparisonDto(
  { servers, compared, leftOut, differences, unanswered }: LiveComparison,
  links: LinksDto,
): LiveComparisonDto {
  return {
    name_servers: servers.map(toTriedServerDto),
    compared,
    left_out: leftOut,
    differences: differences.map(({ servers: names, ours, theirs, ...difference }) => ({
      ...difference,
      ours: toComparedSetDto(ours),
      theirs: theirs && toComparedSetDto(theirs),
      name_servers: [...names],
    })),
    unanswered: [...unanswered],
    links,
  };
}

function toComparedSetDto({ data, ...set }: ShownSet): ComparedSetDto {
  return { ...set, data: [...data] };
}
