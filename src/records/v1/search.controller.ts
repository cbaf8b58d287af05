import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { canonicalUuid } from '../../common/uuid.js';
import { IntegerParameter, MayBeAbsent } from '../../http/bodies/field-decorators.js';
import { OptionalText, TextField } from '../../http/bodies/dto-fields.js';
import { CurrentCaller } from '../../http/decorators.js';
import { LONGEST_SEARCHED } from '../../http/lists/page-list.js';
import { LinksDto, Paging } from '../../http/lists/paging.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import { searchClientOf } from '../../http/request-lifetime.js';
import type { ApiRequest } from '../../http/request.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { RecordSearch, type SearchPosition } from '../lists/record-search.js';
import { RecordsOptions } from '../records.options.js';
import { RecordDto, type RecordMapper, recordMapper } from './record.mapper.js';

const MOST = 200;
const USUAL = 50;

class SearchQueryDto {
  @TextField({
    minLength: 1,
    maxLength: LONGEST_SEARCHED,
    example: '192.0.2.3',
    description: 'Text in the name, the data or the description, in any case of ASCII letters.',
  })
  q!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, description: 'The highest number of records.' })
  @MayBeAbsent()
  @IntegerParameter(1, MOST)
  limit?: number;

  @OptionalText({ maxLength: 100, description: 'Where the search goes on, as `links.next` has it.' })
  marker?: string;
}

class FoundRecordDto extends RecordDto {
  @ApiProperty({ example: 'example.org.' })
  domain_name!: string;
}

class FoundRecordsDto {
  @ApiProperty({ type: [FoundRecordDto] })
  records!: readonly FoundRecordDto[];

  @ApiProperty({ type: 'integer', example: 250_000, description: 'Records and domains that this request has read.' })
  searched!: number;

  @ApiProperty({ example: true, description: 'Whether all domains are searched; otherwise `links.next` goes on.' })
  complete!: boolean;

  @ApiProperty({ type: LinksDto })
  links!: LinksDto;
}

/** Searches the records of all domains (behaviour 6.11). */
@Operations('records')
@Controller('v1/search')
export class RecordSearchController {
  private readonly form: RecordMapper;

  constructor(
    private readonly search: RecordSearch,
    private readonly paging: Paging,
    options: RecordsOptions,
  ) {
    this.form = recordMapper(options);
  }

  @Get()
  @Operation({
    summary: 'Search the records of all domains',
    description: 'A request reads a bounded number of records. `complete` says whether it has read all of them.',
    response: FoundRecordsDto,
    errors: ['invalid_object'],
  })
  async find(
    @Query() { q, limit = USUAL, marker }: SearchQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<FoundRecordsDto> {
    const query = { q, limit, after: marker === undefined ? null : readPosition(marker) };
    const { found, searched, next } = await this.search.find(query, caller, searchClientOf(request));
    return {
      records: found.map(({ record, zoneName }) => ({ ...this.form(record), domain_name: zoneName })),
      searched,
      complete: next === null,
      links: this.paging.markedLinks(request, next && formatPosition(next)),
    };
  }
}

const formatPosition = ({ zoneId, recordId }: SearchPosition): string => `${zoneId}_${recordId}`;

/** @throws ServiceError `invalid_object` */
function readPosition(marker: string): SearchPosition {
  const [zone = '', record = '', ...rest] = marker.split('_');
  const zoneId = canonicalUuid(zone);
  const recordId = record === '~' ? record : canonicalUuid(record);
  if (zoneId === null || recordId === null || rest.length > 0)
    throw ServiceError.ofField('invalid_object', 'marker', 'format', 'marker: send that of links.next, unchanged.');
  return { zoneId, recordId };
}
