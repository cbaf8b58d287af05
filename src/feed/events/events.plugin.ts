import { definePlugin } from '../../plugins/plugin.js';

const EXTENSION = 'events';

/** Changes as a stream of server-sent events (behaviour 19.12). Nothing is written down where the extension is off. */
export const EVENTS = definePlugin({
  name: 'events',
  zonewright: '*',
  schema: () => import('./events.schema.js'),
  api: async ({ config: { api, central } }) => {
    const v1Extensions = { [EXTENSION]: (await import('./events.module.js')).EventsModule };
    if (!api.v1Extensions.includes(EXTENSION)) return { v1Extensions };
    const { EventLogModule } = await import('./event-log.module.js');
    const { EventLogListener } = await import('./event-log.listener.js');
    const form = { baseUri: api.baseUri, expiringRecords: api.expiringRecords };
    const options = {
      streams: api.maxEventStreams,
      heartbeat: api.eventHeartbeat * 1000,
      days: central.retention.historyDays,
    };
    return {
      modules: [EventLogModule.register(form, options)],
      v1Extensions,
      listeners: [{ name: EXTENSION, listener: EventLogListener }],
    };
  },
});
