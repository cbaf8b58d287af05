import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Changes that are told to whoever a tenant names (behaviour 19.8), where the operator lets tenants do so. */
export const WEBHOOKS = feature({
  name: 'webhooks',
  schema: async () => ({
    entities: [
      (await import('./webhook.entity.js')).WebhookEntity,
      (await import('./delivery.entity.js')).DeliveryEntity,
      (await import('./queue/webhook-event.entity.js')).WebhookEventEntity,
      (await import('./queue/webhook-queue.entity.js')).WebhookQueueEntity,
      (await import('./queue/webhook-usage.entity.js')).WebhookUsageEntity,
      (await import('./queue/webhook-tenant.entity.js')).WebhookTenantEntity,
    ],
    migrations: [
      migration(
        'CreateWebhooks1763886000000',
        () => import('../../database/migrations/1763886000000-create-webhooks.js'),
      ),
      migration(
        'FindDueWebhooks1763891000000',
        () => import('../../database/migrations/1763891000000-find-due-webhooks.js'),
      ),
      migration(
        'WeighDeliveries1763891200000',
        () => import('../../database/migrations/1763891200000-weigh-deliveries.js'),
      ),
      migration(
        'ShareWebhookEvents1763892000000',
        () => import('../../database/migrations/1763892000000-share-webhook-events.js'),
      ),
      migration(
        'SumUpWebhooks1763892010000',
        () => import('../../database/migrations/1763892010000-sum-up-webhooks.js'),
      ),
      migration('QueueEntries1763930000000', () => import('../../database/migrations/1763930000000-queue-entries.js')),
    ],
  }),
  // Whether the sums of queues are right, which is asked also where webhooks are off.
  core: async () => {
    const { UsageCheckRepository } = await import('./queue/usage-check.repository.js');
    const { UsageCheckService } = await import('./queue/usage-check.service.js');
    const module = moduleOf('UsageCheck', {
      providers: [UsageCheckRepository, UsageCheckService],
      exports: [UsageCheckService],
    });
    return { modules: [module] };
  },
  api: async ({ config: { api, webhooks } }) => {
    const { WebhooksModule } = await import('./webhooks.module.js');
    const { WebhookListener } = await import('./webhook-listener.js');
    const form = { baseUri: api.baseUri, expiringRecords: api.expiringRecords };
    const isEnabled = api.v1Extensions.includes('webhooks');
    return {
      v1Extensions: { webhooks: WebhooksModule.register(webhooks, form) },
      listeners: isEnabled ? [{ name: 'webhooks', listener: WebhookListener }] : [],
    };
  },
});
