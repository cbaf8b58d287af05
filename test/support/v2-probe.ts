import { Body, Controller, Delete, Get, Injectable, Module, Patch, Post, Req } from '@nestjs/common';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { AdminOnly } from '../../src/auth/access.decorators.js';
import type { Caller } from '../../src/common/caller.js';
import type { CollectionQuery } from '../../src/common/collection-query.js';
import { ServiceError } from '../../src/common/service-error.js';
import { FilteredPages } from '../../src/database/statements/filtered-pages.js';
import { Reads } from '../../src/database/reads.js';
import { wholeTable } from '../../src/database/statements/walk.js';
import { BodyOptional, Consumes } from '../../src/http/bodies/media-types.js';
import { CurrentCaller } from '../../src/http/decorators.js';
import { ApiProperty } from '../../src/http/openapi/decorators.js';
import type { ApiRequest } from '../../src/http/request.js';
import { V2Links } from '../../src/http/v2/collection.js';
import { type CollectionRules, V2Query, V2Id } from '../../src/http/v2/parameters.js';
import { definePlugin } from '../../src/plugins/plugin.js';

class ProbeDto {
  @ApiProperty()
  @IsString()
  name!: string;

  @ApiProperty({ required: false })
  @IsOptional()
  @Max(10)
  @Min(0)
  @IsInt()
  size?: number;
}

const RULES: CollectionRules = {
  filters: ['name', 'ttl', 'description', 'tenant_id'],
  sortKeys: { name: 'name', ttl: 'ttl', description: 'description', created_at: 'created_at', id: 'id' },
};

interface ProbeRow {
  readonly id: string;
  readonly name: string;
}

@Injectable()
class ProbeRepository {
  private readonly pages = new FilteredPages<ProbeRow>({
    select: 'zones.id AS id, zones.name AS name',
    from: 'zones',
    columns: {
      name: { sql: 'zones.name', kind: 'text' },
      ttl: { sql: 'zones.ttl', kind: 'number' },
      description: { sql: 'zones.description', kind: 'text' },
      tenant_id: { sql: 'zones.tenant_id', kind: 'exact' },
      created_at: { sql: 'zones.created_at', kind: 'number' },
    },
    id: 'zones.id',
  });

  constructor(private readonly reads: Reads) {}

  page({ tenantId, allTenants }: Caller, query: CollectionQuery) {
    const seen = allTenants ? {} : { seen: { sql: 'zones.tenant_id = ?', values: [tenantId] } };
    return this.pages.page(this.reads, [{ ...wholeTable('zones'), ...seen }], query);
  }
}

@Controller('v2/probes')
class ProbesController {
  constructor(
    private readonly probes: ProbeRepository,
    private readonly links: V2Links,
  ) {}

  @Post()
  create(@Body() body: ProbeDto): object {
    return { ...body };
  }

  @Post('bare')
  @BodyOptional()
  bare(@Body() body: object): object {
    return { body };
  }

  @Post('text')
  @Consumes('text/dns')
  text(@Body() body: Buffer): object {
    return { length: body.length };
  }

  @Get()
  async list(@V2Query(RULES) query: CollectionQuery, @CurrentCaller() caller: Caller, @Req() request: ApiRequest) {
    const page = await this.probes.page(caller, query);
    return this.links.collectionOf('probes', page, ({ name }) => ({ name }), request);
  }

  @Get('secret')
  @AdminOnly()
  secret(): object {
    return {};
  }

  @Get('faults')
  faults(): never {
    throw ServiceError.ofFields('invalid_object', [
      { path: '', message: 'The whole is wrong.', validator: 'type' },
      { path: 'records[12]', message: 'The 13th is wrong.', validator: 'format' },
      { path: 'quota.zones', message: 'The inner is wrong.', validator: 'type' },
      { path: 'list[0].values[1]', message: 'The innermost is wrong.', validator: 'type' },
    ]);
  }

  @Get(':probe_id')
  show(@V2Id('probe_id') id: string, @CurrentCaller() caller: Caller, @Req() request: ApiRequest): object {
    const { requestId: _, ...asked } = caller;
    return { id, caller: asked, links: this.links.self(request, `/v2/probes/${id}`) };
  }

  @Patch(':probe_id')
  change(@V2Id('probe_id') id: string, @Body() body: ProbeDto): object {
    return { id, ...body };
  }

  @Delete(':probe_id')
  remove(@V2Id('probe_id') id: string): object {
    return { id };
  }
}

@Module({ controllers: [ProbesController], providers: [ProbeRepository] })
class ProbesModule {}

/** Paths under /v2 that show the common behavior of version 2; the list has zones. */
export const PROBES = definePlugin({
  name: 'probes',
  zonewright: '*',
  api: () => ({ v2: [ProbesModule] }),
});
