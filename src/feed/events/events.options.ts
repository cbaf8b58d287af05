import type { TenantBounds } from '../../common/waiting/limiter.js';
import type { ChangeEvents } from '../change-events.js';
import { inSection, option } from '../../config/option.js';
import { integer } from '../../config/readers.js';

export const EVENTS_OPTIONS = {
  maxEventStreams: inSection('service:api', {
    perTenant: option(
      integer(1, 10_000),
      '16',
      'streams of events of one tenant open in one process; one more is answered 503',
      { name: 'max_event_streams_per_tenant' },
    ),
    inAll: option(integer(1, 10_000), '128', 'streams of events of all tenants open in one process', {
      name: 'max_event_streams',
    }),
  }),
  ...inSection('service:api', {
    eventHeartbeat: option(
      integer(1, 3600),
      '15',
      'seconds after which a stream of events shows that it is there, and its credential is looked at again',
    ),
  }),
};

export abstract class EventsOptions {
  abstract readonly events: ChangeEvents;
  abstract readonly streams: TenantBounds;
  /** Interval of heartbeats and credential checks, in milliseconds. */
  abstract readonly heartbeat: number;
}
