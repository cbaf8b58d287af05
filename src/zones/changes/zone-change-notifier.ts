import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { Broadcast } from '../../database/broadcast.js';

/** Takes the id of a created, changed or deleted zone. Must return immediately and must not throw. */
type CommitListener = (zoneId: string) => void;

@Injectable()
export class CommitHooks {
  private readonly listeners = new Set<CommitListener>();

  listen(listener: CommitListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(zoneId: string): void {
    for (const listener of this.listeners) listener(zoneId);
  }
}

const TOPIC = 'zones';
/** In milliseconds: changes within this time are broadcast together. */
const GATHERED = 5;
const IDS_AT_A_TIME = 180;

/** Notifies listeners in all processes. Changes of other processes may get lost, so listeners also poll. */
@Injectable()
export class ZoneChangeNotifier implements OnModuleDestroy {
  private readonly listeners = new Set<CommitListener>();
  private readonly changed = new Coalescer<string>((ids) => this.send(ids), { gather: () => delay(GATHERED) });
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly commits: CommitHooks,
    private readonly broadcast: Broadcast,
  ) {}

  /** May be called again. */
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

  listen(listener: CommitListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Notifies after a reconnect, because the database may be another server. `tell` must not wait or throw. */
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
