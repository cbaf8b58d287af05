import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { type Labels, readLabelFilters } from '../../common/labels.js';
import { LABELS, LabelFilters, OptionalIntegerParameter, OptionalText } from '../../http/bodies/dto-fields.js';
import { MayBeAbsent } from '../../http/bodies/field-decorators.js';
import { IsUUID } from '../../http/bodies/class-validator.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { LinksDto, Paging } from '../../http/lists/paging.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { ownerKeyOf } from './query-parameters.mapper.js';
import { LabeledSets } from '../labeled-sets.repository.js';

const MOST = 200;

class LabeledSetsQueryDto {
  @LabelFilters('record sets')
  label?: string[];

  @OptionalText({ example: 'www.example.org.', description: 'Only record sets at this owner name.' })
  name?: string;

  @OptionalIntegerParameter({
    minimum: 1,
    maximum: MOST,
    description: `The highest number of sets, ${MOST} by default.`,
  })
  limit?: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'The `id` of the last record set already seen.' })
  @MayBeAbsent()
  @IsUUID()
  marker?: string;
}

class LabeledSetDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d', description: 'As version 2 has it.' })
  id!: string;

  @ApiProperty({ example: 'www.example.org.' })
  name!: string;

  @ApiProperty({ example: 'A' })
  type!: string;

  @ApiProperty({ ...LABELS, example: { owner: 'deploy' } })
  labels!: Labels;
}

class LabeledSetListDto {
  @ApiProperty({ type: [LabeledSetDto], description: 'In the order of creation.' })
  record_sets!: readonly LabeledSetDto[];

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

@Operations('records', { ids: ['domain_id'] })
@Controller(['v1/domains/:domain_id/labels', 'domains/:domain_id/labels'])
export class LabelsController {
  constructor(
    private readonly labeled: LabeledSets,
    private readonly paging: Paging,
  ) {}

  @Get()
  @Operation({
    id: 'listLabeledRecordSets',
    summary: 'List the record sets with labels',
    description: 'Only sets that have labels. A change set changes them, by the action `label`.',
    response: LabeledSetListDto,
    errors: ['invalid_object', 'zone_not_found'],
  })
  async list(
    @PathId('domain_id') zoneId: string,
    @Query() { label = [], name, limit = MOST, marker = '' }: LabeledSetsQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<LabeledSetListDto> {
    const filters = readLabelFilters(label, 'invalid_object');
    const { sets, next } =
      name === undefined
        ? await this.labeled.page(zoneId, caller, filters, { marker: marker.toLowerCase(), limit })
        : await this.labeled.atOwner(zoneId, caller, filters, ownerKeyOf(name));
    return { record_sets: sets, links: this.paging.markedLinks(request, next) };
  }
}
