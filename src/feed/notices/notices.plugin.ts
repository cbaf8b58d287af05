import { feature, moduleOf } from '../../plugins/feature.js';
import type { NoticeReceiver } from '../change-events.js';

/** Takes notices about zones to event streams and webhooks, as far as these are enabled. */
export const NOTICES = feature({
  name: 'notices',
  api: async ({ config: { api } }) => {
    const { NoticeReceivers } = await import('../change-events.js');
    const provider = {
      provide: NoticeReceivers,
      useFactory: (...receivers: NoticeReceiver[]) => new NoticeReceivers(receivers),
      inject: [
        ...(api.v1Extensions.includes('events') ? [(await import('../events/event-log.service.js')).EventLog] : []),
        ...(api.v1Extensions.includes('webhooks')
          ? [(await import('../webhooks/webhook-listener.js')).WebhookNotices]
          : []),
      ],
    };
    return { modules: [moduleOf('Notices', { global: true, providers: [provider], exports: [NoticeReceivers] })] };
  },
});
