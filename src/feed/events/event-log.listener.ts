import { Injectable } from '@nestjs/common';
import { type ChangeEntry, ChangeListener } from '../listeners/change-listener.js';
import { EventLog } from './event-log.service.js';

/** Has every change written down for the tenants that learn of it. */
@Injectable()
export class EventLogListener extends ChangeListener {
  constructor(private readonly log: EventLog) {
    super();
  }

  override receive(entries: readonly ChangeEntry[]): Promise<void> {
    return this.log.add(entries);
  }
}
