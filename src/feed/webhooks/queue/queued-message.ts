import type { ChangeEvent, EventForm } from '../../change-events.js';
import type { ChangeEntry } from '../../listeners/change-listener.js';
import type { PublicationNotice } from '../../publication-notice.js';

/** A message to a webhook as its queue keeps it: what it tells, and what else its octets depend on. */
export interface QueuedMessage {
  readonly form: EventForm;
  readonly told: ChangeEntry | PublicationNotice | WebhookTest;
}

/** Tells a webhook of nothing (behaviour 19.8). */
export interface WebhookTest {
  readonly testId: string;
  readonly webhookId: string;
  readonly at: number;
}

/** How an interface says a message: always the same of the same message. */
export type SayMessage = (message: QueuedMessage) => ChangeEvent;

/** The version of what is written. What earlier releases have queued has none: it is the event as it is sent. */
const FORMAT = 1;

/** What is stored of a message, as a column has it. */
interface StoredMessage extends QueuedMessage {
  readonly v: typeof FORMAT;
}

export function isTest(told: QueuedMessage['told']): told is WebhookTest {
  return 'testId' in told;
}

export function isPublication(told: QueuedMessage['told']): told is PublicationNotice {
  return 'publication' in told;
}

export function writeMessage({ form, told }: QueuedMessage): string {
  return JSON.stringify({ v: FORMAT, form, told: isTest(told) || isPublication(told) ? told : withoutWireForm(told) });
}

/** The body of a request that sends what is stored. */
export function bodyOf(content: string, say: SayMessage): string {
  // Nobody but this file writes the column.
  const stored = JSON.parse(content) as StoredMessage | { readonly v?: undefined };
  return stored.v === undefined ? content : JSON.stringify(say(stored));
}

/** No event has the wire form of a record, which is twice as long as its text. */
function withoutWireForm(entry: ChangeEntry): object {
  const { before, after } = entry;
  return {
    ...entry,
    before: before && { ...before, rdata: undefined },
    after: after && { ...after, rdata: undefined },
  };
}
