import type { DueQueue, QueueKey } from './webhook-queue.repository.js';

/** Calls of one webhook under way in one process: a slow target leaves room for the others. */
const PER_WEBHOOK = 4;
/** Calls under way in one process. */
const IN_ALL = 256;

/**
 * Who may have how many calls under way. A tenant takes a place only while more are free than it has: one alone has half of
 * them, and however many tenants have targets that hang, there is a place for the next one (ADR 52).
 */
export class CallPlaces {
  private readonly ofWebhooks = new Map<string, number>();
  private readonly ofTenants = new Map<string, number>();
  private taken = 0;

  /** Takes a place; `false` where the webhook or its tenant has as many as it may. */
  take({ webhookId, tenantId }: DueQueue): boolean {
    if (countIn(this.ofWebhooks, webhookId) >= PER_WEBHOOK) return false;
    if (countIn(this.ofTenants, tenantId) >= IN_ALL - this.taken) return false;
    this.taken += 1;
    add(this.ofWebhooks, webhookId, 1);
    add(this.ofTenants, tenantId, 1);
    return true;
  }

  giveBack({ webhookId, tenantId }: Pick<DueQueue, 'tenantId' | keyof QueueKey>): void {
    this.taken -= 1;
    add(this.ofWebhooks, webhookId, -1);
    add(this.ofTenants, tenantId, -1);
  }

  get areAllTaken(): boolean {
    return this.taken >= IN_ALL;
  }
}

function countIn(counts: ReadonlyMap<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = countIn(counts, key) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
