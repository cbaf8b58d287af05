import { type DynamicModule, Module } from '@nestjs/common';
import { ChangeListenersCoreModule } from '../listeners/change-listeners-core.module.js';
import { StandingAccess } from '../../auth/standing-access.js';
import type { EventForm } from '../change-events.js';
import { changeEvents } from '../v1/change-event.form.js';
import { EventLogCleanup } from './event-log-cleanup.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventLog } from './event-log.service.js';
import { EventNews } from './event-news.js';
import { EventPages } from './event-pages.js';
import { EventStreams } from './event-streams.js';
import { EventsOptions } from './events.options.js';

/** The log of events, and who reads it: what the extension `events` and its listener stand on. */
@Module({})
export class EventLogModule {
  static register(form: EventForm, options: Omit<EventsOptions, 'events'>): DynamicModule {
    return {
      module: EventLogModule,
      global: true,
      imports: [ChangeListenersCoreModule],
      providers: [
        { provide: EventsOptions, useValue: { ...options, events: changeEvents(form) } },
        EventLogRepository,
        EventLog,
        EventLogCleanup,
        EventNews,
        EventPages,
        EventStreams,
        StandingAccess,
      ],
      exports: [EventLog, EventStreams, StandingAccess],
    };
  }
}
