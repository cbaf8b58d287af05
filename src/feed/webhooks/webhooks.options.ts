import type { WebhooksConfig } from '../../config/config.js';
import type { EventForm } from '../change-event.js';

/** What webhooks need of the configuration. */
export abstract class WebhooksOptions {
  abstract readonly limits: WebhooksConfig;
  abstract readonly form: EventForm;
}
