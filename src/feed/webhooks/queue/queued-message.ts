import type { ChangeEvent, EventForm, ZoneNotice } from '../../change-events.js';
import type { ChangeEntry } from '../../../plugins/change-listener.js';

/** A queued message: the event and the settings that its octets depend on. */
export interface QueuedMessage {
  readonly form: EventForm;
  readonly told: ChangeEntry | ZoneNotice | WebhookTest;
}

/** A test event (behaviour 19.8). */
export interface WebhookTest {
  readonly testId: string;
  readonly webhookId: string;
  readonly at: number;
}

/** Converts a message to an event, always with the same result. */
export type SayMessage = (message: QueuedMessage) => ChangeEvent;

/** Version of the stored form. Messages of earlier releases have none and contain the event itself. */
const FORMAT = 1;

interface StoredMessage extends QueuedMessage {
  readonly v: typeof FORMAT;
}

export function isTest(told: QueuedMessage['told']): told is WebhookTest {
  return 'testId' in told;
}

export function isNotice(told: QueuedMessage['told']): told is ZoneNotice {
  return 'publication' in told;
}

export function writeMessage({ form, told }: QueuedMessage): string {
  return JSON.stringify({ v: FORMAT, form, told: isTest(told) || isNotice(told) ? told : withoutWireForm(told) });
}

export function bodyOf(content: string, say: SayMessage): string {
  // Only this file writes the column.
  const stored = JSON.parse(content) as StoredMessage | { readonly v?: undefined };
  return stored.v === undefined ? content : JSON.stringify(say(stored));
}

/** Omits the wire form, which no event contains and which doubles the size. */
function withoutWireForm(entry: ChangeEntry): object {
  const { before, after } = entry;
  return {
    ...entry,
    before: before && { ...before, rdata: undefined },
    after: after && { ...after, rdata: undefined },
  };
}
