import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, SECOND } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { showGauge, Counter } from '../observability/metrics.js';
import { DnssecOptions } from './dnssec.options.js';
import { KeyResponses } from './keys/key-responses.js';
import { type RolloverSummary, ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

export const SIGNATURES = new Counter({
  name: 'zonewright_dnssec_signatures_total',
  help: 'Signatures that were made and verified.',
});
export const HALTS = new Counter({
  name: 'zonewright_dnssec_halts_total',
  help: 'Runs that found something wrong, and halted the signing of a zone.',
});
export const FAULTS = new Counter({
  name: 'zonewright_dnssec_faults_total',
  help: 'Faults that the daily check has found in what is published.',
});
export type FailureReason = 'clock' | 'key' | 'other';
export const FAILED_RUNS = new Counter({
  name: 'zonewright_dnssec_failed_runs_total',
  help: 'Runs that have signed nothing, and are tried again.',
  labels: ['reason'],
});
const ROLLOVERS = { name: 'zonewright_dnssec_rollovers', help: 'Rollovers that are under way.' };
const OLDEST_STEP = {
  name: 'zonewright_dnssec_oldest_step_seconds',
  help: 'How long the step of a rollover that has waited longest has done so.',
};
const ZONES = { name: 'zonewright_dnssec_zones', help: 'Signed zones.' };
const LATE = {
  name: 'zonewright_dnssec_renewals_late_seconds',
  help: 'How long the signature that has waited longest to be renewed has done so.',
};
const REST = { name: 'zonewright_dnssec_shortest_life_seconds', help: 'Time until the first signature expires.' };

const RESPONSES = {
  name: 'zonewright_dnssec_key_response_seconds',
  help: 'Time until the first zone has no more signatures of its offline KSK.',
};

const REASONS: readonly FailureReason[] = ['clock', 'key', 'other'];

/** Gauges of all signed zones, shown by the process that has the lease. */
@Injectable()
export class DnssecMetrics implements OnModuleDestroy {
  private zones: readonly { readonly state: string; readonly count: number }[] = [];
  private rollovers: readonly RolloverSummary[] = [];
  private firstDue: number | null = null;
  private firstEnd: number | null = null;
  private readonly ends: (() => void)[];

  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly rolloverRows: ZoneRolloverRepository,
    private readonly responses: KeyResponses,
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly options: DnssecOptions,
  ) {
    // Create the series with 0: rates need a first sample.
    FAULTS.of();
    for (const reason of REASONS) FAILED_RUNS.of(reason);
    this.ends = [
      showGauge(ZONES, () => this.zones.map(({ state, count }) => ({ labels: { state }, value: count })), 'max'),
      showGauge(ROLLOVERS, () => this.rollovers.map(({ step, count }) => ({ labels: { step }, value: count })), 'max'),
      showGauge(OLDEST_STEP, () => this.sinceOldestStep(), 'max'),
      showGauge(LATE, () => this.sinceDue((wait) => Math.max(0, wait)), 'max'),
      showGauge(RESPONSES, () => this.untilEnd(), 'max'),
      showGauge(REST, () => this.sinceDue((wait) => this.options.refresh - wait), 'max'),
    ];
  }

  onModuleDestroy(): void {
    for (const end of this.ends) end();
  }

  async read(): Promise<void> {
    const [{ zones, firstDue }, rollovers, firstEnd] = await this.reads.run(async (tx) => [
      await this.signing.summary(tx),
      await this.rolloverRows.summary(tx),
      await this.responses.firstEnd(tx),
    ]);
    this.zones = zones;
    this.firstDue = firstDue;
    this.rollovers = rollovers;
    this.firstEnd = firstEnd;
  }

  private untilEnd(): { readonly labels: Record<string, never>; readonly value: number }[] {
    if (this.firstEnd === null) return [];
    return [{ labels: {}, value: this.firstEnd - this.clock.now() / SECOND }];
  }

  private sinceOldestStep(): { readonly labels: Record<string, never>; readonly value: number }[] {
    const first = Math.min(...this.rollovers.map(({ since }) => since));
    return Number.isFinite(first) ? [{ labels: {}, value: (this.clock.now() - first) / SECOND }] : [];
  }

  /** Empty if no signature is due, or in a process without the lease. */
  private sinceDue(
    show: (wait: number) => number,
  ): { readonly labels: Record<string, never>; readonly value: number }[] {
    if (this.firstDue === null) return [];
    return [{ labels: {}, value: show((this.clock.now() - this.firstDue) / SECOND) }];
  }
}
