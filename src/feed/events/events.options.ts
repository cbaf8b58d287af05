import type { TenantBounds } from '../../common/waiting/limiter.js';
import type { ChangeEvents } from '../change-events.js';

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
