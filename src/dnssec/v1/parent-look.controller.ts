import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';
import { ParentLookDto, toParentLookDto } from '../forms/parent-look.dto.js';
import { ParentViewer } from '../parent/parent-viewer.js';

/** The delegation of a domain as its parent has it now (behaviour 23.16). */
@Operations('dnssec', { ids: ['domain_id'], errors: ['zone_not_found'] })
@Controller('v1/domains/:domain_id/dnssec/parent')
export class ParentLookController {
  constructor(private readonly viewer: ParentViewer) {}

  @Get()
  @Operation({
    id: 'getParentOfDnssec',
    summary: 'Look at the delegation and the DS of a domain in its parent zone',
    description:
      'Asks each name server of the parent zone now, also for a domain that is not signed, and stores nothing. A server that' +
      ' does not answer is a result: see its `error`.',
    response: ParentLookDto,
    errors: ['unavailable'],
  })
  async view(@PathId('domain_id') id: string, @CurrentCaller() caller: Caller): Promise<ParentLookDto> {
    return toParentLookDto(await this.viewer.of(id, caller));
  }
}
