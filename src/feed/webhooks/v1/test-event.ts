import { formatInstant, type Instant } from '../../../common/clock.js';
import { timeOrderedUuid } from '../../../common/uuid.js';
import type { CloudEvent } from '../../v1/change-event.form.js';

/** Makes the events that tell a webhook of nothing (behaviour 19.8). */
export function testEvents(baseUri: string | null): (webhookId: string, at: Instant) => CloudEvent {
  return (id, at) => ({
    specversion: '1.0',
    id: `test:${timeOrderedUuid(at)}`,
    type: 'zonewright.webhook.test',
    source: `${baseUri ?? ''}/v1/webhooks/${id}`,
    time: `${formatInstant(at)}Z`,
    datacontenttype: 'application/json',
    data: { webhook: { id } },
  });
}
