import { CreateWebhooks1763886000000 } from '../../database/migrations/1763886000000-create-webhooks.js';
import { FindDueWebhooks1763891000000 } from '../../database/migrations/1763891000000-find-due-webhooks.js';
import { WeighDeliveries1763891200000 } from '../../database/migrations/1763891200000-weigh-deliveries.js';
import { ShareWebhookEvents1763892000000 } from '../../database/migrations/1763892000000-share-webhook-events.js';
import { SumUpWebhooks1763892010000 } from '../../database/migrations/1763892010000-sum-up-webhooks.js';
import { QueueEntries1763930000000 } from '../../database/migrations/1763930000000-queue-entries.js';
import { DeliveryEntity } from './delivery.entity.js';
import { WebhookEventEntity } from './queue/webhook-event.entity.js';
import { WebhookQueueEntity } from './queue/webhook-queue.entity.js';
import { WebhookTenantEntity } from './queue/webhook-tenant.entity.js';
import { WebhookUsageEntity } from './queue/webhook-usage.entity.js';
import { WebhookEntity } from './webhook.entity.js';

export const entities = [
  WebhookEntity,
  DeliveryEntity,
  WebhookEventEntity,
  WebhookQueueEntity,
  WebhookUsageEntity,
  WebhookTenantEntity,
];
export const migrations = [
  CreateWebhooks1763886000000,
  FindDueWebhooks1763891000000,
  WeighDeliveries1763891200000,
  ShareWebhookEvents1763892000000,
  SumUpWebhooks1763892010000,
  QueueEntries1763930000000,
];
