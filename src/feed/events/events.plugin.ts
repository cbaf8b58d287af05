import { migration } from '../../database/schema/lazy-migration.js';
import type { Config } from '../../config/config.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import type { ModuleImport } from '../../plugins/plugin.js';
import type { EventsOptions } from './events.options.js';

const EXTENSION = 'events';

/** Changes as a stream of server-sent events (behaviour 19.12). Nothing is written down where the extension is off. */
export const EVENTS = feature({
  name: 'events',
  schema: async () => ({
    entities: [
      (await import('./event-log-row.entity.js')).EventLogRowEntity,
      (await import('./event-log-tenant.entity.js')).EventLogTenantEntity,
    ],
    migrations: [
      migration(
        'CreateEventLog1763887000000',
        () => import('../../database/migrations/1763887000000-create-event-log.js'),
      ),
    ],
  }),
  api: async ({ config }) => {
    const v1Extensions = {
      [EXTENSION]: moduleOf('EventsV1', {
        controllers: [(await import('./v1/events.controller.js')).EventsController],
        providers: [(await import('./v1/pipes/stream-request.pipe.js')).StreamRequestPipe],
      }),
    };
    if (!config.api.v1Extensions.includes(EXTENSION)) return { v1Extensions };
    const { EventLogListener } = await import('./event-log.listener.js');
    return {
      modules: [await eventLogModule(config)],
      v1Extensions,
      listeners: [{ name: EXTENSION, listener: EventLogListener }],
    };
  },
});

/** The log of events, and who reads it: what the extension and its listener stand on. */
async function eventLogModule({ api, central }: Config): Promise<ModuleImport> {
  const { changeEvents } = await import('../v1/change-event.mapper.js');
  const { EventsOptions } = await import('./events.options.js');
  const { EventLog } = await import('./event-log.service.js');
  const { EventStreams } = await import('./event-streams.js');
  const { AccessRecheck } = await import('../../auth/access-recheck.js');
  const options: EventsOptions = {
    events: changeEvents({ baseUri: api.baseUri, expiringRecords: api.expiringRecords }),
    streams: api.maxEventStreams,
    heartbeat: api.eventHeartbeat * 1000,
    days: central.retention.historyDays,
  };
  return moduleOf('EventLog', {
    global: true,
    providers: [
      { provide: EventsOptions, useValue: options },
      (await import('./event-log.repository.js')).EventLogRepository,
      EventLog,
      (await import('./event-log-cleanup.js')).EventLogCleanup,
      (await import('./event-notifier.js')).EventNotifier,
      (await import('./event-pages.js')).EventPages,
      EventStreams,
      AccessRecheck,
    ],
    exports: [EventLog, EventStreams, AccessRecheck],
  });
}
