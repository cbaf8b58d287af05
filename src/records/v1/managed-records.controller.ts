import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { ApiProperty } from '../../http/openapi/decorators.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import type { RecordSetView } from '../record-set-view.js';
import { RecordSetsService } from '../record-sets.service.js';

class ManagedRecordDto {
  @ApiProperty({ example: 'example.org.', description: 'The name of the domain.' })
  name!: string;

  @ApiProperty({ enum: ['SOA', 'NS'], example: 'NS' })
  type!: string;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: "Seconds; `null`: the domain's." })
  ttl!: number | null;

  @ApiProperty({ example: 'ns1.example.net.' })
  data!: string;
}

class ManagedRecordsDto {
  @ApiProperty({ type: [ManagedRecordDto] })
  managed_records!: readonly ManagedRecordDto[];
}

/** Shows the records at the apex that the service generates (behaviour 6.10). */
@Operations('records', { ids: ['domain_id'] })
@Controller('v1/domains/:domain_id/managed-records')
export class ManagedRecordsController {
  constructor(private readonly sets: RecordSetsService) {}

  @Get()
  @Operation({
    summary: 'List the generated records of a domain',
    description:
      'Its SOA record and the NS records of the service at the apex. The settings of the domain change them.',
    response: ManagedRecordsDto,
    errors: ['zone_not_found'],
  })
  async list(@PathId('domain_id') zoneId: string, @CurrentCaller() caller: Caller): Promise<ManagedRecordsDto> {
    const sets = await this.sets.generated(zoneId, caller);
    return { managed_records: sets.flatMap(toManagedRecordDtos) };
  }
}

function toManagedRecordDtos({ name, type, ttl, values }: RecordSetView): ManagedRecordDto[] {
  return values.map(({ data }) => ({ name, type, ttl, data }));
}
