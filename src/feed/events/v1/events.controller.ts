import { Controller, Get, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Response } from 'express';
import { AccessRecheck } from '../../../auth/identification.js';
import type { Caller } from '../../../common/caller.js';
import { EVENT_STREAM_TYPE, Produces } from '../../../http/bodies/media-types.js';
import { shapeOf } from '../../../http/bodies/shape.pipe.js';
import { CurrentCaller, Gone } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import type { HttpAdapter } from '../../../http/server/http-adapter.js';
import { EventView } from '../event-pages.js';
import { EventStreams } from '../event-streams.js';
import {
  EventsQueryDto,
  assertOneTenant,
  type EventFilter,
  cursorIn,
  StreamRequestPipe,
} from './stream-request.pipe.js';
import { CloudEventDto } from '../../v1/cloud-event.mapper.js';
import { ApiHeader } from '../../../http/openapi/decorators.js';
import { Operation, Operations } from '../../../http/v1/api-docs.js';

@Operations('events', {
  errors: ['invalid_object', 'events_gone'],
  hasAdminHeaders: false,
})
@ApiHeader({ name: 'X-Auth-Sudo-Tenant-ID', required: false, description: 'Admins: the tenant to act for.' })
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly access: AccessRecheck,
    private readonly host: HttpAdapterHost<HttpAdapter>,
  ) {}

  @Get()
  @Produces(EVENT_STREAM_TYPE)
  @Operation({
    id: 'streamEvents',
    summary: 'Follow changes as they happen',
    description:
      'Server-sent events for as long as the client reads: for each step of a change of a domain of the tenant one event with an `id`, the type as `event`, and a CloudEvent as `data`. A client that connects again with `Last-Event-ID` misses nothing and gets nothing twice.',
    query: EventsQueryDto,
    models: [CloudEventDto],
    parameters: [
      ApiHeader({
        name: 'Last-Event-ID',
        required: false,
        description:
          'The id of the last event that was seen; 0 for the oldest that is kept. Without it the stream begins now.',
      }),
    ],
    response: {
      description: 'A stream of events; the `data` of each is a CloudEvent.',
      content: { [EVENT_STREAM_TYPE]: { schema: { $ref: `#/components/schemas/${CloudEventDto.name}` } } },
    },
  })
  async stream(
    @Query(shapeOf(EventsQueryDto), StreamRequestPipe) { zoneIds, since }: EventFilter,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Gone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    assertOneTenant(caller);
    const stream = await this.streams.begin({
      view: new EventView(caller, zoneIds),
      from: cursorIn(request.headers['last-event-id']) ?? since,
      isPermitted: () => this.access.isGood(request, caller),
      gone,
    });
    // The stream must not occupy a request slot.
    this.host.httpAdapter.turns.releaseSlot(request);
    // Proxies such as nginx would buffer events.
    response.setHeader('X-Accel-Buffering', 'no');
    return new StreamableFile(stream, { type: EVENT_STREAM_TYPE });
  }
}
