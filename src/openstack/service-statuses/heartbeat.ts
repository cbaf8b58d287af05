import { hostname } from 'node:os';
import { Injectable } from '@nestjs/common';
import type { TaskHandle } from '../../background/background-task.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { Clock } from '../../common/clock.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { type ServiceStatusEntity, ServiceStatusRepository } from './service-status.repository.js';

const INTERVAL_MS = 10_000;
/** Microseconds. */
const INTERVAL = INTERVAL_MS * 1000;
const MISSED_BEATS = 3;

/** Designate services of a process: api, central and producer serve the API; mdns and worker serve name servers. */
export const API_SERVICES = ['api', 'central', 'producer'] as const;
export const NAME_SERVER_SERVICES = ['mdns', 'worker'] as const;

/** Writes a heartbeat every 10 s, and marks services without one for 30 s as down. */
@Injectable()
export class Heartbeat implements BackgroundService {
  private services: readonly string[] = [];
  private latest = -Infinity;
  private task: TaskHandle | null = null;

  constructor(
    private readonly statuses: ServiceStatusRepository,
    private readonly clock: Clock,
  ) {}

  /** @param services sorted by name */
  startFor(services: readonly string[]): void {
    this.services = services;
    this.task?.trigger(INTERVAL_MS);
  }

  addTasks(scheduler: Scheduler): void {
    // Without failure messages: other tasks report a database that refuses writes.
    this.task = scheduler.add({
      name: 'service-statuses.heartbeat',
      every: () => (this.services.length > 0 ? INTERVAL_MS : Infinity),
      run: () => this.beat(),
    });
  }

  /** Writes a heartbeat before a read if the last one is older than an interval. */
  async refresh(): Promise<void> {
    if (this.clock.now() - this.latest >= INTERVAL) await this.beat().catch(() => undefined);
  }

  private beat(): Promise<void> {
    const now = this.clock.now();
    this.latest = now;
    return this.statuses.note(this.services, hostname(), { now, downBefore: now - MISSED_BEATS * INTERVAL });
  }
}

@Injectable()
export class ServiceStatusesService {
  constructor(
    private readonly statuses: ServiceStatusRepository,
    private readonly heartbeat: Heartbeat,
  ) {}

  async page(query: CollectionQuery): Promise<FilteredPage<ServiceStatusEntity>> {
    await this.heartbeat.refresh();
    return this.statuses.page(query);
  }

  async get(id: string): Promise<ServiceStatusEntity> {
    await this.heartbeat.refresh();
    return this.statuses.find(id);
  }
}
