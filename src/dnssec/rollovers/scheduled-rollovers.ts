import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Counter } from '../../observability/metrics.js';
import { DnssecOptions } from '../dnssec.options.js';
import type { AgingKey } from '../keys/zone-key.repository.js';
import { agreedDs } from '../parent/parent-observation.js';
import { SigningClock } from '../signing/signing-clock.js';
import { SigningContext } from '../signing-context.js';
import { dueAt } from './key-lifetimes.js';
import { RolloversService } from './rollovers.service.js';

const PAGE_SIZE = 500;
/** For one run: reads at most 10,000 keys. */
const MOST_PAGES = 20;
const MOST_BEGUN = 30;

const BEGUN = new Counter({
  name: 'zonewright_dnssec_scheduled_rollovers_total',
  help: 'Rollovers that began because a key had reached its lifetime.',
  labels: ['key'],
});

/** Begins rollovers of keys that have reached their lifetime (behaviour 23.17). */
@Injectable()
export class ScheduledRollovers {
  /** The last key that was read. Another process begins with the first key. */
  private marker = '';

  constructor(
    private readonly context: SigningContext,
    private readonly rollovers: RolloversService,
    private readonly options: DnssecOptions,
    private readonly signingClock: SigningClock,
  ) {}

  get isConfigured(): boolean {
    return Object.values(this.options.lifetimes).some((lifetime) => lifetime !== null);
  }

  /** @throws WrongClock, and the first error of the keys that were not rolled */
  async run(signal: AbortSignal): Promise<void> {
    await this.signingClock.compare();
    const { due, end } = await this.dueKeys(this.signingClock.after(0));
    const errors: unknown[] = [];
    let begun = 0;
    let tried = 0;
    for (const key of inTurns(due)) {
      if (signal.aborted) return;
      if (begun + errors.length === MOST_BEGUN) break;
      tried += 1;
      await this.begin(key).then(
        (hasBegun) => (begun += Number(hasBegun)),
        (error: unknown) => errors.push(error),
      );
      await nextTurn();
    }
    // Keys that cannot be rolled do not keep the others waiting.
    if (tried === due.length || begun === 0) this.marker = end;
    if (errors.length > 0) throw errors[0];
  }

  /** `end`: where the next run goes on; empty after the last key. */
  private async dueKeys(now: Instant): Promise<{ readonly due: readonly AgingKey[]; readonly end: string }> {
    const due: AgingKey[] = [];
    let end = this.marker;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const after = end;
      const page = await this.context.read((tx) => this.context.keys.aging(tx, after, PAGE_SIZE));
      due.push(...page.filter((key) => this.isDue(key, now)));
      end = page.length < PAGE_SIZE ? '' : (page.at(-1)?.id ?? '');
      if (end === '') break;
      await nextTurn();
    }
    return { due, end };
  }

  private isDue(key: AgingKey, now: Instant): boolean {
    const at = dueAt(key, this.options.lifetimes);
    if (at === null || at > now) return false;
    return key.state === 'secure' || (key.state === 'ready' && key.role === 'zsk');
  }

  /** Otherwise, a rollover with a new DS would wait for somebody to report it. */
  private async isParentSeen(zoneId: string): Promise<boolean> {
    const stored = await this.context.read((tx) => this.context.parents.observation(tx, zoneId));
    return stored !== null && agreedDs(stored.observation) !== null;
  }

  /** Returns whether a rollover has begun. */
  private async begin({ zoneId, role }: AgingKey): Promise<boolean> {
    if (role !== 'zsk' && !(await this.isParentSeen(zoneId))) return false;
    try {
      await this.rollovers.begin(zoneId, { kind: role, isEmergency: false }, administrator('signer', 'signer'));
      BEGUN.of(role).add();
      return true;
    } catch (error) {
      const isOvertaken =
        error instanceof ServiceError && (error.code === 'zone_not_found' || error.code === 'signing_conflict');
      if (!isOvertaken) throw error;
      return false;
    }
  }
}

/** Tenants take turns, however many keys each has. */
function inTurns(keys: readonly AgingKey[]): AgingKey[] {
  const counts = new Map<string, number>();
  const turns = keys.map((key) => {
    const turn = counts.get(key.tenantId) ?? 0;
    counts.set(key.tenantId, turn + 1);
    return { key, turn };
  });
  return turns.sort((one, other) => one.turn - other.turn).map(({ key }) => key);
}
