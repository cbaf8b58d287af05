import { Controller, Get, Query } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import { PublicationsService } from '../pool/publications.service.js';
import { type PublicationDto, PublicationQueryDto, toPublicationDto } from './dto/publication.dto.js';
import { ApiPublication, ApiPublicationOfDomain } from './publication.api.js';

@ApiPublication()
@Controller()
export class PublicationController {
  constructor(private readonly publications: PublicationsService) {}

  @Get(['v1/domains/:domain_id/publication', 'domains/:domain_id/publication'])
  @ApiPublicationOfDomain()
  async publication(
    @PathId('domain_id') zoneId: string,
    @Query(shapeOf(PublicationQueryDto)) { wait = 0 }: PublicationQueryDto,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<PublicationDto> {
    const publication =
      wait === 0
        ? await this.publications.of(zoneId, caller)
        : await this.publications.whenPublished(zoneId, caller, wait * 1000, gone);
    return toPublicationDto(publication);
  }
}
