import { Controller, Get, Query } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { formatInstantOrNull } from '../../common/clock.js';
import { OptionalIntegerParameter, OptionalText } from '../../http/bodies/dto-fields.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { ApiNullableText, ApiProperty } from '../../http/openapi/decorators.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { Reads } from '../../database/reads.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ownerKeyOf } from '../../records/v1/query-parameters.mapper.js';
import { AliasRepository, type AliasView } from '../alias.repository.js';

const MOST = 100;

class AliasesQueryDto {
  @OptionalText({ example: 'example.org.', description: 'Only the ALIAS at this owner name.' })
  name?: string;

  @OptionalText({ description: 'As `next` has it.' })
  marker?: string;

  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MOST,
    description: `The highest number of ALIAS records, ${MOST} by default.`,
  })
  limit?: number;
}

class AliasDto {
  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'lb.example.net.' })
  target!: string;

  @ApiProperty({
    enum: ['new', 'resolved', 'missing', 'failing', 'refused', 'looping'],
    example: 'resolved',
    description:
      '`new`: it waits for its first answer; `missing`: it has no addresses; `failing`: there is no usable answer; `refused`: its addresses are not public; `looping`: it follows itself.',
  })
  state!: string;

  @ApiNullableText({ example: null, description: 'Why it is not resolved.' })
  problem!: string | null;

  @ApiProperty({ type: [String], example: ['192.0.2.1'], description: 'The last addresses of the target.' })
  addresses!: readonly string[];

  @ApiNullableText({ example: '2026-11-20T08:29:58.123456', description: 'When it was last resolved, UTC.' })
  resolved_at!: string | null;
}

class AliasesDto {
  @ApiProperty({ type: [AliasDto] })
  aliases!: readonly AliasDto[];

  @ApiNullableText({ example: null, description: 'The `marker` of the next page; `null`: the last one.' })
  next!: string | null;
}

/** Shows the state of the targets of a domain (behaviour 24.11). */
@Operations('records', { ids: ['domain_id'], errors: ['invalid_object', 'zone_not_found'] })
@Controller('v1/domains/:domain_id/aliases')
export class AliasesController {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly aliases: AliasRepository,
    private readonly reads: Reads,
  ) {}

  @Get()
  @Operation({
    id: 'listAliases',
    summary: 'List the ALIAS records of a domain with the state of their targets',
    description: 'In the order of their names, at most 100 at a time.',
    query: AliasesQueryDto,
    response: AliasesDto,
  })
  async list(
    @PathId('domain_id') zoneId: string,
    @Query(shapeOf(AliasesQueryDto)) { name, marker = '', limit = MOST }: AliasesQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<AliasesDto> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    if (name !== undefined) {
      const key = ownerKeyOf(name);
      const [row] = await this.reads.run((tx) => this.aliases.views(tx, id, key, 1));
      return { aliases: row?.ownerKey === key ? [toAliasDto(row)] : [], next: null };
    }
    const rows = await this.reads.run((tx) => this.aliases.views(tx, id, marker, limit + 1));
    return { aliases: rows.slice(0, limit).map(toAliasDto), next: rows[limit]?.ownerKey ?? null };
  }
}

function toAliasDto({ name, data, state, problem, addresses, resolvedAt }: AliasView): AliasDto {
  return {
    ...{ name, target: data, state: state ?? 'new', problem },
    addresses: addresses === null || addresses === '' ? [] : addresses.split(' '),
    resolved_at: formatInstantOrNull(resolvedAt),
  };
}
