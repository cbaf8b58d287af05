import { applyDecorators } from '@nestjs/common';
import { EVENT_STREAM_TYPE } from '../../../http/bodies/media-types.js';
import { CloudEventDto } from '../../v1/cloud-event.mapper.js';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '../../../http/openapi/decorators.js';
import { ApiErrors } from '../../../http/v1/api-docs.js';
import { EventsQueryDto } from './dto/events-query.dto.js';

export const ApiEvents = () =>
  applyDecorators(
    ApiTags('events'),
    ApiSecurity('token'),
    ApiHeader({ name: 'X-Auth-Sudo-Tenant-ID', required: false, description: 'Admins: the tenant to act for.' }),
    ApiErrors('invalid_object', 'access_denied', 'events_gone', 'unsupported_accept', 'rate_limited', 'unknown'),
    ApiErrors('unavailable'),
  );

export const ApiStreamEvents = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'streamEvents',
      summary: 'Follow changes as they happen',
      description:
        'Server-sent events for as long as the client reads: for each step of a change of a domain of the tenant one event with an `id`, the type as `event`, and a CloudEvent as `data`. A client that connects again with `Last-Event-ID` misses nothing and gets nothing twice.',
    }),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'The id of the last event that was seen; 0 for the oldest that is kept. Without it the stream begins now.',
    }),
    ApiQuery({ type: EventsQueryDto }),
    ApiExtraModels(CloudEventDto),
    ApiOkResponse({
      description: 'A stream of events; the `data` of each is a CloudEvent.',
      content: { [EVENT_STREAM_TYPE]: { schema: { $ref: `#/components/schemas/${CloudEventDto.name}` } } },
    }),
  );
