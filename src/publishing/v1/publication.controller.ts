import { Controller, Get, Query } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { shapeOf } from '../../http/bodies/shape.pipe.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import { PublicationsService } from '../pool/publications.service.js';
import {
  PoolServersDto,
  PublicationDto,
  PublicationQueryDto,
  toPoolServerDto,
  toPublicationDto,
} from './dto/publication.dto.js';
import { Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('publication', { errors: ['invalid_object', 'zone_not_found'] })
@Controller()
export class PublicationController {
  constructor(private readonly publications: PublicationsService) {}

  @Get(['v1/domains/:domain_id/publication', 'domains/:domain_id/publication'])
  @Operation({
    id: 'getPublication',
    summary: 'Show which name servers have the latest change of a domain',
    description:
      'With `wait` the answer comes as soon as all of them have it, or when the time is up; `published` tells which.' +
      ' Changes that are made while it waits do not make it wait longer.',
    query: PublicationQueryDto,
    ids: ['domain_id'],
    response: PublicationDto,
  })
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

@Operations('publication')
@Controller('v1/name-servers')
export class NameServersController {
  constructor(private readonly publications: PublicationsService) {}

  @Get()
  @Operation({
    id: 'listNameServers',
    summary: 'List the name servers of the pool, and whether they answer',
    description: 'Of which domains one lacks the serial, a list of domains with `behind` says.',
    response: PoolServersDto,
  })
  async list(): Promise<PoolServersDto> {
    return { name_servers: (await this.publications.ofServers()).map(toPoolServerDto) };
  }
}
