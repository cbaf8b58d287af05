import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { Counter } from '../../observability/metrics.js';
import { DnssecOptions } from '../dnssec.options.js';
import type { AgingKey } from '../keys/zone-key.repository.js';
import { agreedDs, type ParentObservation } from '../parent/parent-observation.js';
import { SigningClock } from '../signing/signing-clock.js';
import { SigningContext } from '../signing-context.js';
import { rolloverAt } from './key-lifetimes.js';
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
    for (const key of inTurns(due).slice(0, MOST_BEGUN)) {
      if (signal.aborted) return;
      await this.begin(key).then(
        (hasBegun) => (begun += Number(hasBegun)),
        (error: unknown) => errors.push(error),
      );
    }
    // Keys that cannot be rolled do not keep the others waiting.
    if (due.length <= MOST_BEGUN || begun === 0) this.marker = end;
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
    }
    return { due, end };
  }

  private isDue(key: AgingKey, now: Instant): boolean {
    const at = rolloverAt({ ...key, signer: null }, this.options.lifetimes, null);
    if (at === null || at > now) return false;
    if (key.role === 'zsk') return key.state === 'ready' || key.state === 'secure';
    // Otherwise, the rollover would wait for somebody to report the new DS.
    return key.state === 'secure' && key.sight !== null && isAgreed(key.sight);
  }

  /** Returns whether a rollover has begun. */
  private async begin({ zoneId, role }: AgingKey): Promise<boolean> {
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

/** Only `ParentOutcome` writes the column. */
function isAgreed(sight: string): boolean {
  return agreedDs(JSON.parse(sight) as ParentObservation) !== null;
}
