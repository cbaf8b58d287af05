import { assertNotScoped, mayManage } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import type { WebhookEntity } from './webhook.entity.js';

/** @throws ServiceError `forbidden` */
export function assertMayManageWebhooks(caller: Caller): void {
  assertNotScoped(caller, 'to manage webhooks');
}

/** @throws ServiceError `webhook_not_found` */
export function visibleWebhook(webhook: WebhookEntity | null, caller: Caller): WebhookEntity {
  if (webhook !== null && mayManage(caller, webhook)) return webhook;
  throw new ServiceError('webhook_not_found', 'There is no such webhook; list yours with GET /v1/webhooks.');
}
