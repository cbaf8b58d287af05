import { definePlugin } from '../../plugins/plugin.js';

/** Changes that are told to whoever a tenant names (behaviour 19.8), where the operator lets tenants do so. */
export const WEBHOOKS = definePlugin({
  name: 'webhooks',
  zonewright: '*',
  schema: () => import('./webhooks.schema.js'),
  core: async () => ({ modules: [(await import('./queue/usage-check.module.js')).UsageCheckModule] }),
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
