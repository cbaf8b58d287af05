import type { TenantBounds } from '../../common/waiting/limiter.js';
import type { ChangeEvents } from '../change-events.js';
import { inSection } from '../../config/option.js';
import { integer } from '../../config/readers.js';

export const EVENTS_OPTIONS = {
  maxEventStreams: inSection('service:api', {
    perTenant: {
      name: 'max_event_streams_per_tenant',
      default: '16',
      reader: integer(1, 10_000),
      meaning: 'streams of events of one tenant open in one process; one more is answered 503',
    },
    inAll: {
      name: 'max_event_streams',
      default: '128',
      reader: integer(1, 10_000),
      meaning: 'streams of events of all tenants open in one process',
    },
  }),
  ...inSection('service:api', {
    eventHeartbeat: {
      name: 'event_heartbeat',
      default: '15',
      reader: integer(1, 3600),
      meaning: 'seconds after which a stream of events shows that it is there, and its credential is looked at again',
    },
  }),
};

/** What the stream of events needs of the configuration. */
export abstract class EventsOptions {
  abstract readonly events: ChangeEvents;
  /** How many streams are under way in one process. */
  abstract readonly streams: TenantBounds;
  /** Milliseconds after which a stream shows that it is there, and its credential is looked at again. */
  abstract readonly heartbeat: number;
  /** Days for which the log of events is kept; `null`: as long as the history. */
  abstract readonly days: number | null;
}
