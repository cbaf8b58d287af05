import { formatInstant } from '../../../common/clock.js';
import { changeEvents, type CloudEvent } from '../../v1/change-event.mapper.js';
import { isNotice, isTest, type QueuedMessage, type WebhookTest } from '../queue/queued-message.js';

/** Converts a queued message to a CloudEvent (behaviour 19.7, 19.8). */
export function cloudEventOf({ form, told }: QueuedMessage): CloudEvent {
  if (isTest(told)) return testEvent(told, form.baseUri);
  const events = changeEvents(form);
  return isNotice(told) ? events.noticeEventOf(told) : events.eventOf(told);
}

function testEvent({ testId, webhookId, at }: WebhookTest, baseUri: string | null): CloudEvent {
  return {
    specversion: '1.0',
    id: `test:${testId}`,
    type: 'zonewright.webhook.test',
    source: `${baseUri ?? ''}/v1/webhooks/${webhookId}`,
    time: `${formatInstant(at)}Z`,
    datacontenttype: 'application/json',
    data: { webhook: { id: webhookId } },
  };
}
