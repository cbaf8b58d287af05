import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { Broadcast } from '../../database/broadcast.js';
import { Reads } from '../../database/reads.js';
import { EventLogRepository } from './event-log.repository.js';

const TOPIC = 'events';
/** How often the database is asked for what was not told, in milliseconds. */
const LOOK_EVERY = 1000;

/** One who reads a tenant's events as they come. */
export class Follower {
  /** How far it has read. */
  position = 0;
  private hasNews = false;
  private wake: (() => void) | null = null;

  constructor(readonly tenantId: string) {}

  tell(): void {
    this.hasNews = true;
    this.wake?.();
  }

  /**
   * Resolves when there may be events that it has not read: at once where it was told of some since the last time.
   * @param timeLimit in milliseconds
   * @returns whether it was told, or is to end; `false` when the time is over
   */
  async wait(timeLimit: number, signal: AbortSignal): Promise<boolean> {
    if (!this.hasNews && !signal.aborted) await this.news(timeLimit, signal);
    const { hasNews } = this;
    this.hasNews = false;
    return hasNews || signal.aborted;
  }

  private news(timeLimit: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.wake = null;
        resolve();
      };
      const timer = setTimeout(end, timeLimit);
      signal.addEventListener('abort', end, { once: true });
      this.wake = end;
    });
  }
}

/** Wakes those who follow a tenant's events, whichever process has written them down. */
@Injectable()
export class EventNotifier implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly followers = new Set<Follower>();
  private ignore: () => void = () => undefined;

  constructor(
    private readonly log: EventLogRepository,
    private readonly reads: Reads,
    private readonly broadcast: Broadcast,
    background: Scheduler,
  ) {
    background.add({
      name: 'events.news',
      every: LOOK_EVERY,
      failureMessages: { failing: 'Events reach streams late', recovered: 'Events reach streams in time again.' },
      run: () => this.look(),
    });
  }

  onApplicationBootstrap(): void {
    this.ignore = this.broadcast.listen(TOPIC, (tenantId) => this.wake(tenantId));
  }

  onModuleDestroy(): void {
    this.ignore();
  }

  follow(tenantId: string): Follower {
    const follower = new Follower(tenantId);
    this.followers.add(follower);
    return follower;
  }

  leave(follower: Follower): void {
    this.followers.delete(follower);
  }

  /** A tenant has events that are committed. */
  tell(tenantId: string): void {
    this.wake(tenantId);
    this.broadcast.send(TOPIC, tenantId);
  }

  private wake(tenantId: string): void {
    for (const follower of this.followers) if (follower.tenantId === tenantId) follower.tell();
  }

  private async look(): Promise<void> {
    const tenants = [...new Set([...this.followers].map(({ tenantId }) => tenantId))];
    if (tenants.length === 0) return;
    const found = await this.reads.run((tx) => this.log.lastOfMany(tx, tenants));
    const last = new Map(found.map((row) => [row.tenantId, row.last]));
    for (const follower of this.followers) if ((last.get(follower.tenantId) ?? 0) > follower.position) follower.tell();
  }
}
