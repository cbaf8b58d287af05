import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { Broadcast } from '../../database/broadcast.js';
import { Reads } from '../../database/reads.js';
import { EventLogRepository } from './event-log.repository.js';

const TOPIC = 'events';
/** Interval of reading missed events, in milliseconds. */
const LOOK_EVERY = 1000;

export class Follower {
  position = 0;
  private hasNews = false;
  private wake: (() => void) | null = null;

  constructor(readonly tenantId: string) {}

  tell(): void {
    this.hasNews = true;
    this.wake?.();
  }

  /** Returns `false` after `timeLimit` milliseconds, and immediately `true` after an earlier notification. */
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

/** Wakes the followers of a tenant in all processes. */
@Injectable()
export class EventNotifier implements BackgroundService, OnApplicationBootstrap, OnModuleDestroy {
  private readonly followers = new Map<string, TenantFollowers>();
  private version = 0;
  private ignore: () => void = () => undefined;

  constructor(
    private readonly log: EventLogRepository,
    private readonly reads: Reads,
    private readonly broadcast: Broadcast,
  ) {}

  addTasks(scheduler: Scheduler): void {
    scheduler.add({
      name: 'events.news',
      every: LOOK_EVERY,
      failureMessages: { failing: 'Event streams are delayed', recovered: 'Event streams are up to date again.' },
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
    const { all } = this.followers.get(tenantId) ?? { all: new Set() };
    // A tenant without followers misses news, so its former version must not come back.
    if (all.size === 0) this.followers.set(tenantId, { all, version: (this.version += 1) });
    all.add(follower);
    return follower;
  }

  leave(follower: Follower): void {
    const { tenantId } = follower;
    const all = this.followers.get(tenantId)?.all;
    all?.delete(follower);
    if (all?.size === 0) this.followers.delete(tenantId);
  }

  tell(tenantId: string): void {
    this.wake(tenantId);
    this.broadcast.send(TOPIC, tenantId);
  }

  /** Grows with all news of a tenant that has followers. */
  versionOf(tenantId: string): number {
    return this.followers.get(tenantId)?.version ?? 0;
  }

  private wake(tenantId: string, last = Infinity): void {
    const followers = this.followers.get(tenantId);
    if (followers === undefined) return;
    const behind = [...followers.all].filter(({ position }) => position < last);
    if (behind.length > 0) followers.version = this.version += 1;
    for (const follower of behind) follower.tell();
  }

  private async look(): Promise<void> {
    if (this.followers.size === 0) return;
    const found = await this.reads.run((tx) => this.log.lastOfMany(tx, [...this.followers.keys()]));
    for (const { tenantId, last } of found) this.wake(tenantId, last);
  }
}

interface TenantFollowers {
  readonly all: Set<Follower>;
  version: number;
}
