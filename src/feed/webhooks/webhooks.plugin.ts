import { MINUTE } from '../../background/background-task.js';
import { feature, moduleOf } from '../../plugins/feature.js';

/** Sends changes to URLs of tenants (behaviour 19.8), if the operator enables it. */
export const WEBHOOKS = feature({
  name: 'webhooks',
  entities: async () => [
    (await import('./webhook.entity.js')).WebhookEntity,
    (await import('./delivery.entity.js')).DeliveryEntity,
    ...Object.values(await import('./queue/webhook-queue.entity.js')),
  ],
  // The check of usage counters also runs when webhooks are off.
  core: async () => {
    const { UsageCheckRepository, UsageCheckService } = await import('./queue/usage-check.service.js');
    const module = moduleOf('UsageCheck', {
      providers: [UsageCheckRepository, UsageCheckService],
      exports: [UsageCheckService],
    });
    return { modules: [module] };
  },
  api: async ({ config: { api, webhooks } }) => {
    const { WebhooksModule } = await import('./webhooks.module.js');
    const { WebhookListener } = await import('./webhook-listener.js');
    const { DeliverySender } = await import('./delivery-sender.js');
    const { WEBHOOK_RETENTION, WebhooksCleanup } = await import('./webhooks-cleanup.js');
    const form = { baseUri: api.baseUri, expiringRecords: api.expiringRecords };
    const isEnabled = api.v1Extensions.includes('webhooks');
    return {
      v1Extensions: { webhooks: WebhooksModule.register(webhooks, form) },
      ...(isEnabled && {
        listeners: [{ name: 'webhooks', listener: WebhookListener }],
        background: [{ service: DeliverySender }],
        retention: [
          {
            name: WEBHOOK_RETENTION,
            subject: 'old webhook deliveries',
            every: MINUTE,
            remove: (services, tx) => services.get(WebhooksCleanup).removeSome(tx),
          },
        ],
      }),
    };
  },
});
