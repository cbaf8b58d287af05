import { Controller, HttpCode, Post, Query } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { OPTIONAL_BODY } from '../../http/openapi/operation.js';
import { OptionalText } from '../../http/bodies/dto-fields.js';
import { type BooleanParameter, IsBooleanParameter } from '../../http/bodies/field-decorators.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { ApiNullableText, ApiProperty } from '../../http/openapi/decorators.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { ReverseBuilding } from '../reverse/reverse-building.js';
import { ReverseStepDto } from './done-change-set.mapper.js';

class ReverseQueryDto {
  @IsBooleanParameter('Only say what would be done.')
  dry_run?: BooleanParameter;

  @OptionalText({ description: 'As `next` has it.' })
  marker?: string;
}

class BuiltReverseDto {
  @ApiProperty({ type: [ReverseStepDto], description: 'PTR records that are created, and those that stay.' })
  reverse!: readonly ReverseStepDto[];

  @ApiNullableText({ example: null, description: 'The `marker` of the next portion; `null`: the domain is done.' })
  next!: string | null;
}

/** Creates missing PTR records of a domain (behaviour 26.7). */
@Operations('records', { ids: ['domain_id'] })
@Controller('v1/domains/:domain_id/reverse')
export class ReverseController {
  constructor(private readonly building: ReverseBuilding) {}

  @Post()
  @HttpCode(200)
  @BodyOptional()
  @Operation({
    id: 'buildReverseRecords',
    summary: 'Create the missing PTR records of a domain',
    description:
      'Of 200 records at a time. Only of addresses with the label `reverse=true`, of the domain or the record set.',
    query: ReverseQueryDto,
    response: BuiltReverseDto,
    requestBody: OPTIONAL_BODY,
    errors: ['zone_not_found', 'invalid_object'],
    bodyErrors: [],
  })
  async build(
    @PathId('domain_id') zoneId: string,
    @Query(shapeOf(ReverseQueryDto)) { dry_run, marker = '' }: ReverseQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<BuiltReverseDto> {
    const { steps, next } = await this.building.build(zoneId, caller, marker, dry_run === 'true');
    return { reverse: steps, next };
  }
}
