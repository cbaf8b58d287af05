import { HOUR } from '../../background/background-task.js';
import { Clock, DAY } from '../../common/clock.js';
import type { Config } from '../../config/config.js';
import { feature, moduleOf, type RetentionRule } from '../../plugins/feature.js';
import type { ModuleImport } from '../../plugins/plugin.js';
import type { EventsOptions } from './events.options.js';

const EXTENSION = 'events';

/** Changes as server-sent events (behaviour 19.12). Without the extension, no event log is written. */
export const EVENTS = feature({
  name: 'events',
  entities: async () => Object.values(await import('./event-log.entity.js')),
  api: async ({ config }) => {
    const v1Extensions = {
      [EXTENSION]: moduleOf('EventsV1', {
        controllers: [(await import('./v1/events.controller.js')).EventsController],
        providers: [(await import('./v1/stream-request.pipe.js')).StreamRequestPipe],
      }),
    };
    if (!config.api.v1Extensions.includes(EXTENSION)) return { v1Extensions };
    const { EventLogListener } = await import('./event-log.service.js');
    return {
      modules: [await eventLogModule(config)],
      v1Extensions,
      listeners: [{ name: EXTENSION, listener: EventLogListener }],
      background: [{ service: (await import('./event-notifier.js')).EventNotifier }],
      retention: await retentionOf(config),
    };
  },
});

/** Removes event log entries that are older than the history of zones. */
async function retentionOf({ central }: Config): Promise<RetentionRule[]> {
  const days = central.retention.historyDays;
  if (days === null) return [];
  const { EventLogRepository } = await import('./event-log.repository.js');
  return [
    {
      name: 'events.retention',
      subject: 'old event log entries',
      every: HOUR,
      remove: (services, tx) => services.get(EventLogRepository).removeOld(tx, services.get(Clock).now() - days * DAY),
    },
  ];
}

async function eventLogModule({ api }: Config): Promise<ModuleImport> {
  const { changeEvents } = await import('../v1/change-event.mapper.js');
  const { EventsOptions } = await import('./events.options.js');
  const { EventLog } = await import('./event-log.service.js');
  const { EventStreams } = await import('./event-streams.js');
  const { AccessRecheck } = await import('../../auth/identification.js');
  const options: EventsOptions = {
    events: changeEvents({ baseUri: api.baseUri, expiringRecords: api.expiringRecords }),
    streams: api.maxEventStreams,
    heartbeat: api.eventHeartbeat * 1000,
  };
  return moduleOf('EventLog', {
    global: true,
    providers: [
      { provide: EventsOptions, useValue: options },
      (await import('./event-log.repository.js')).EventLogRepository,
      EventLog,
      (await import('./event-notifier.js')).EventNotifier,
      (await import('./event-pages.js')).EventPages,
      (await import('./event-block-reader.js')).EventBlockReader,
      EventStreams,
      AccessRecheck,
    ],
    exports: [EventLog, EventStreams, AccessRecheck],
  });
}
