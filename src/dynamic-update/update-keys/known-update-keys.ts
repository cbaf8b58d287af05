import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { readRestrictions } from '../../auth/scopes/token-scope.js';
import { Clock, type Instant } from '../../common/clock.js';
import type { Restrictions } from '../../common/restrictions.js';
import { Broadcast } from '../../database/broadcast.js';
import { DomainName } from '../../dns/name.js';
import { algorithmName, type TsigKey } from '../../dns/message/tsig/tsig-key.js';
import type { UpdateKeyEntity } from './update-key.entity.js';
import { UpdateKeyRepository } from './update-key.repository.js';

const TOPIC = 'update-keys';
/** How often the database is asked what other processes have changed, in milliseconds. */
const EVERY = 1000;
/** Changes are committed later than they are dated, and clocks of machines differ, though by less than TSIG bears. */
const OVERLAP: Instant = 600_000_000;
const PORTION = 500;

/** A key with what it may do. */
export interface UpdateKey extends TsigKey {
  readonly id: string;
  readonly tenantId: string;
  readonly restrictions: Restrictions | null;
  readonly expiresAt: Instant | null;
}

/**
 * All keys that are good, in memory: nothing is looked up for a message before its signature is known to be right. What has
 * been revoked a moment ago may still be here, and is asked for again in the transaction of each change.
 */
@Injectable()
export class KnownUpdateKeys implements OnModuleDestroy {
  private readonly keys = new Map<string, UpdateKey>();
  /** When the latest change that was read was made. */
  private readUpTo: Instant = -OVERLAP;
  private reading: TaskHandle | null = null;
  private endListening: () => void = () => undefined;

  constructor(
    private readonly repository: UpdateKeyRepository,
    private readonly broadcast: Broadcast,
    private readonly background: Scheduler,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads all keys, and from then on what changes.
   * @throws ServiceError `unavailable`
   */
  async start(): Promise<void> {
    if (this.reading !== null) return;
    const reading = this.background.add({
      name: 'update-keys.changes',
      every: EVERY,
      readOnly: true,
      failureMessages: {
        failing: 'Update keys that other processes have made or revoked cannot be read at the moment',
        recovered: 'Update keys are read again.',
      },
      run: () => this.read(),
    });
    this.reading = reading;
    this.endListening = this.broadcast.listen(TOPIC, () => reading.trigger());
    await this.read();
  }

  onModuleDestroy(): void {
    this.endListening();
  }

  find(name: DomainName, algorithm: DomainName): UpdateKey | undefined {
    const key = this.keys.get(name.key);
    if (key === undefined || !algorithmName(key.algorithm).equals(algorithm)) return undefined;
    return key.expiresAt === null || key.expiresAt > this.clock.now() ? key : undefined;
  }

  /** This process has changed one: it is known here when this resolves, and elsewhere within a moment. */
  async changed(): Promise<void> {
    this.broadcast.send(TOPIC, '');
    if (this.reading !== null) await this.read();
  }

  private async read(): Promise<void> {
    this.forgetExpired();
    let last: Pick<UpdateKeyEntity, 'changedAt' | 'id'> = { changedAt: this.readUpTo - OVERLAP, id: '' };
    for (;;) {
      const changed = await this.repository.changedSince(last.changedAt, last.id, PORTION);
      for (const key of changed) this.take(key);
      if (changed.length < PORTION) return;
      last = changed.at(-1) ?? last;
    }
  }

  /** The database forgets them in silence. */
  private forgetExpired(): void {
    const now = this.clock.now();
    for (const [name, { expiresAt }] of this.keys) if (expiresAt !== null && expiresAt <= now) this.keys.delete(name);
  }

  /** Of a name that was given again the revoked key may come behind the new one. */
  private take(stored: UpdateKeyEntity): void {
    const { id, algorithm, tenantId, restrictions, expiresAt, revokedAt, changedAt } = stored;
    // A clock that is ahead of ours must not hide what others change.
    this.readUpTo = Math.max(this.readUpTo, Math.min(changedAt, this.clock.now()));
    const name = DomainName.parse(stored.name);
    if (revokedAt !== null) {
      if (this.keys.get(name.key)?.id === id) this.keys.delete(name.key);
      return;
    }
    if (this.keys.get(name.key)?.id === id || (expiresAt !== null && expiresAt <= this.clock.now())) return;
    const limits = restrictions === null ? null : readRestrictions(restrictions);
    const secret = Buffer.from(stored.secret, 'base64');
    this.keys.set(name.key, { id, name, algorithm, secret, tenantId, restrictions: limits, expiresAt });
  }
}
