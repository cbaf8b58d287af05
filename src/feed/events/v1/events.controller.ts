import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { AccessRecheck } from '../../../auth/access-recheck.js';
import type { Caller } from '../../../common/caller.js';
import { EVENT_STREAM_TYPE, Produces } from '../../../http/bodies/media-types.js';
import { shapeOf } from '../../../http/bodies/shape.pipe.js';
import { CurrentCaller, Gone } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import type { HttpAdapter } from '../../../http/server/http-adapter.js';
import { EventStreams } from '../event-streams.js';
import { EventsQueryDto } from './dto/events-query.dto.js';
import { ApiEvents, ApiStreamEvents } from './events.api.js';
import { assertOneTenant, type EventFilter, cursorIn, StreamRequestPipe } from './pipes/stream-request.pipe.js';

@ApiEvents()
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly access: AccessRecheck,
    private readonly host: HttpAdapterHost<HttpAdapter>,
  ) {}

  @Get()
  @Produces(EVENT_STREAM_TYPE)
  @ApiStreamEvents()
  async stream(
    @Query(shapeOf(EventsQueryDto), StreamRequestPipe) { zoneIds, since }: EventFilter,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Gone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    assertOneTenant(caller);
    const stream = await this.streams.begin({
      caller,
      zoneIds,
      from: cursorIn(request.headers['last-event-id']) ?? since,
      isPermitted: () => this.access.isGood(request, caller),
      gone,
    });
    // Others are not to wait for an answer that goes on for as long as somebody reads it.
    this.host.httpAdapter.turns.releaseSlot(request);
    // Proxies such as nginx would keep events until there are enough of them.
    response.setHeader('X-Accel-Buffering', 'no');
    return new StreamableFile(stream, { type: EVENT_STREAM_TYPE });
  }
}
