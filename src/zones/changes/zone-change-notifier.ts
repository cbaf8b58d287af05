import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { Broadcast } from '../../database/broadcast.js';
import { type CommitListener, CommitHooks } from './commit-hooks.js';

const TOPIC = 'zones';
/** What is committed within so long is told together, in milliseconds. */
const GATHERED = 5;
const IDS_AT_A_TIME = 180;

/**
 * Tells which zones have changed in any process of the service. What other processes commit comes a few milliseconds later
 * and may get lost: whoever must miss nothing looks for it, too.
 */
@Injectable()
export class ZoneChangeNotifier implements OnModuleDestroy {
  private readonly listeners = new Set<CommitListener>();
  private readonly changed = new Coalescer<string>((ids) => this.send(ids), { gather: () => delay(GATHERED) });
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly commits: CommitHooks,
    private readonly broadcast: Broadcast,
  ) {}

  /** Begins to tell, and to hear, in this process. May be called again. */
  start(): void {
    if (this.ends.length > 0) return;
    this.ends.push(
      this.commits.listen((zoneId) => this.note(zoneId)),
      this.broadcast.listen(TOPIC, (text) => {
        for (const zoneId of text.split(' ')) this.tell(zoneId);
      }),
    );
  }

  onModuleDestroy(): void {
    void this.send(this.changed.takeAll());
    for (const end of this.ends.splice(0)) end();
  }

  /** Returns what ends it. */
  listen(listener: CommitListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Tells that the database is back after it was away: it may be another server of it. Returns what ends it.
   * @param tell returns at once, and throws nothing
   */
  whenBack(tell: () => void): () => void {
    return this.broadcast.whenBack(tell);
  }

  private note(zoneId: string): void {
    this.tell(zoneId);
    this.changed.add(zoneId);
  }

  private tell(zoneId: string): void {
    for (const listener of this.listeners) listener(zoneId);
  }

  private send(changed: readonly string[]): Promise<void> {
    const ids = [...new Set(changed)];
    for (let at = 0; at < ids.length; at += IDS_AT_A_TIME)
      this.broadcast.send(TOPIC, ids.slice(at, at + IDS_AT_A_TIME).join(' '));
    return Promise.resolve();
  }
}
