import type { WebhookEntity } from './webhook.entity.js';

/** What of a webhook decides which events it is sent. */
export type Subscription = Pick<WebhookEntity, 'id' | 'domains' | 'actions' | 'createdAt'>;

/** Whether it is for that zone. */
export function isForDomain({ domains }: Subscription, zone: { readonly id: string; readonly name: string }): boolean {
  if (domains === null) return true;
  const wanted = listIn(domains);
  return wanted.includes(zone.id) || wanted.includes(zone.name.toLowerCase());
}

/** Whether it names that action; `unnamed` is what holds where it names none. */
export function asksFor({ actions }: Subscription, action: string, unnamed: boolean): boolean {
  return actions === null ? unnamed : listIn(actions).includes(action);
}

/** Reads what `WebhooksService` has written. */
function listIn(column: string): readonly string[] {
  return JSON.parse(column) as string[];
}
