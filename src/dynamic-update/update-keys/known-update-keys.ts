import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { readRestrictions } from '../../auth/scopes/token-scope.js';
import { Clock, type Instant } from '../../common/clock.js';
import type { Restrictions } from '../../common/caller.js';
import { Broadcast } from '../../database/broadcast.js';
import { DomainName } from '../../dns/name.js';
import { algorithmName, type TsigKey } from '../../dns/message/tsig/tsig-key.js';
import type { UpdateKeyEntity } from './update-key.entity.js';
import { UpdateKeyRepository } from './update-key.repository.js';

const TOPIC = 'update-keys';
/** The poll interval for changes of other processes. */
const POLL_INTERVAL_MS = 1000;
/** Covers commit delays and clock differences below the TSIG fudge. */
const OVERLAP: Instant = 600_000_000;
const PORTION = 500;

export interface UpdateKey extends TsigKey {
  readonly id: string;
  readonly tenantId: string;
  readonly restrictions: Restrictions | null;
  readonly expiresAt: Instant | null;
}

/**
 * Holds all valid keys in memory, so that unverified messages cause no lookup.
 * A revoked key may remain briefly, so each change checks its key again in the transaction.
 */
@Injectable()
export class KnownUpdateKeys implements BackgroundService, OnModuleDestroy {
  private readonly keys = new Map<string, UpdateKey>();
  private readUpTo: Instant = -OVERLAP;
  private isStarted = false;
  private endListening: () => void = () => undefined;

  constructor(
    private readonly repository: UpdateKeyRepository,
    private readonly broadcast: Broadcast,
    private readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    if (this.isStarted) return;
    this.isStarted = true;
    await this.read();
  }

  /** Follows changes of keys by other processes. */
  addTasks(scheduler: Scheduler): void {
    const reading = scheduler.add({
      name: 'update-keys.changes',
      every: POLL_INTERVAL_MS,
      readOnly: true,
      failureMessages: {
        failing: 'Cannot read changes of update keys',
        recovered: 'Update keys are read again.',
      },
      run: () => this.read(),
    });
    this.endListening = this.broadcast.listen(TOPIC, () => reading.trigger());
  }

  onModuleDestroy(): void {
    this.endListening();
  }

  find(name: DomainName, algorithm: DomainName): UpdateKey | undefined {
    const key = this.keys.get(name.key);
    if (key === undefined || !algorithmName(key.algorithm).equals(algorithm)) return undefined;
    return key.expiresAt === null || key.expiresAt > this.clock.now() ? key : undefined;
  }

  isValid(id: string): Promise<boolean> {
    return this.repository.isValidNow(id, this.clock.now());
  }

  /** Publishes a change of this process. Resolves once this process knows it. */
  async changed(): Promise<void> {
    this.broadcast.send(TOPIC, '');
    if (this.isStarted) await this.read();
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

  /** Expiry writes no change to the database. */
  private forgetExpired(): void {
    const now = this.clock.now();
    for (const [name, { expiresAt }] of this.keys) if (expiresAt !== null && expiresAt <= now) this.keys.delete(name);
  }

  /** The revocation of a former key may arrive after the new key of the same name. */
  private take(stored: UpdateKeyEntity): void {
    const { id, algorithm, tenantId, restrictions, expiresAt, revokedAt, changedAt } = stored;
    // A fast clock of another process must not hide changes.
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
