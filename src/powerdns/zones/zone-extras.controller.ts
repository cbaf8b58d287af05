import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req, StreamableFile } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { CurrentCaller, Gone } from '../../http/decorators.js';
import { ApiExcludeController } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { ZoneExportService } from '../../zone-files/export/zone-export.service.js';
import { mastersOf } from '../../zones/zone-fields.js';
import { ZonesService } from '../../zones/zones.service.js';
import { type JsonAnswer, jsonAnswer, jsonStream, asJsonText } from '../answers.js';
import { listIn, neededText, objectIn, refuse } from '../input.js';
import { ZoneLookup } from './zone-lookup.js';

/** Metadata and other resources of a zone. */
@ApiExcludeController()
@Controller('api/v1/servers/localhost/zones/:zone_id')
export class ZoneExtrasController {
  constructor(
    private readonly lookup: ZoneLookup,
    private readonly zones: ZonesService,
    private readonly exports: ZoneExportService,
  ) {}

  @Put('notify')
  @HttpCode(200)
  @BodyOptional()
  async notify(@Param('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<JsonAnswer> {
    await this.lookup.find(id, caller);
    return jsonAnswer({ result: 'Notification queued' });
  }

  @Put('rectify')
  @BodyOptional()
  async rectify(@Param('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<JsonAnswer> {
    await this.lookup.find(id, caller);
    return jsonAnswer({ result: 'Rectified' });
  }

  @Put('axfr-retrieve')
  @BodyOptional()
  async retrieve(@Param('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<JsonAnswer> {
    const zone = await this.lookup.find(id, caller);
    if (zone.type === 'PRIMARY') refuse(`Domain '${zone.name}' is not a secondary domain (or has no primary defined)`);
    await this.zones.askMasters(zone.id, caller);
    const [master = ''] = mastersOf(zone);
    return jsonAnswer({ result: `Added retrieval request for '${zone.name}' from primary ${master}` });
  }

  @Get('export')
  async export(
    @Param('zone_id') id: string,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
    @Req() request: ApiRequest,
  ): Promise<StreamableFile> {
    const zone = await this.lookup.find(id, caller);
    const text = await this.exports.exportWithinLimits(zone.id, caller, gone);
    const isJson = request.headers.accept?.includes('application/json') === true;
    return isJson ? jsonStream(asJsonText('zone', text)) : new StreamableFile(text, { type: 'text/plain' });
  }

  @Get('metadata')
  async metadata(@Param('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<JsonAnswer> {
    await this.lookup.find(id, caller);
    return jsonAnswer([]);
  }

  /** Unset metadata is an empty list, as in PowerDNS: clients read a kind before they decide. */
  @Get('metadata/:kind')
  async metadataOf(
    @Param('zone_id') id: string,
    @Param('kind') kind: string,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonAnswer> {
    await this.lookup.find(id, caller);
    return jsonAnswer(emptyMetadata(kind));
  }

  @Put('metadata/:kind')
  async replaceMetadata(
    @Param('zone_id') id: string,
    @Param('kind') kind: string,
    @Body() body: object,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonAnswer> {
    await this.lookup.find(id, caller);
    assertNoValues(kind, body);
    return jsonAnswer(emptyMetadata(kind));
  }

  @Post('metadata')
  async addMetadata(
    @Param('zone_id') id: string,
    @Body() body: object,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonAnswer> {
    await this.lookup.find(id, caller);
    const kind = neededText(objectIn(body, 'The body'), 'kind');
    assertNoValues(kind, body);
    return jsonAnswer(emptyMetadata(kind), 201);
  }

  @Delete('metadata/:kind')
  @HttpCode(204)
  async deleteMetadata(
    @Param('zone_id') id: string,
    @Param('kind') kind: string,
    @CurrentCaller() caller: Caller,
  ): Promise<void> {
    await this.lookup.find(id, caller);
    assertKind(kind);
  }
}

/** Kinds of PowerDNS and custom kinds (`X-…`). */
const KIND = /^[A-Z0-9-]{1,64}$/;

function assertKind(kind: string): void {
  if (!KIND.test(kind)) refuse(`Unsupported metadata kind '${kind.slice(0, 64)}'`);
}

function emptyMetadata(kind: string): object {
  assertKind(kind);
  return { kind, metadata: [], type: 'Metadata' };
}

/** Rejects metadata values: the configuration sets them for all zones. */
function assertNoValues(kind: string, body: object): void {
  const values = listIn(objectIn(body, 'The body'), 'metadata') ?? refuse("Key 'metadata' is not an array");
  assertKind(kind);
  if (values.length > 0) refuse(`Metadata '${kind}' cannot be set here; leave it out`);
}
