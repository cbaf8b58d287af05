import type { WebhooksConfig } from '../../config/config.js';
import type { Instant } from '../../common/clock.js';
import type { ChangeEvent, ChangeEvents } from '../change-events.js';

/** What webhooks need of the configuration. */
export abstract class WebhooksOptions {
  abstract readonly limits: WebhooksConfig;
  abstract readonly events: ChangeEvents;
  /** Makes an event that tells a webhook of nothing. */
  abstract readonly testEvent: (webhookId: string, at: Instant) => ChangeEvent;
}
