import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { showGauge } from '../observability/gauge.js';
import { Tally } from '../observability/tally.js';
import { DnssecOptions } from './dnssec.options.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

export const SIGNATURES = new Tally({
  name: 'zonewright_dnssec_signatures_total',
  help: 'Signatures that were made and verified.',
});
export const HALTS = new Tally({
  name: 'zonewright_dnssec_halts_total',
  help: 'Runs that found something wrong, and halted the signing of a zone.',
});
export const FAULTS = new Tally({
  name: 'zonewright_dnssec_faults_total',
  help: 'Faults that the daily check has found in what is published.',
});
const ZONES = { name: 'zonewright_dnssec_zones', help: 'Signed zones.' };
const LATE = {
  name: 'zonewright_dnssec_renewals_late_seconds',
  help: 'How long the signature that has waited longest to be renewed has done so.',
};
const REST = {
  name: 'zonewright_dnssec_shortest_life_seconds',
  help: 'No signature ends before so long.',
};

const SECOND = 1_000_000;

/** What is known of all signed zones together. The process that has the lease shows it. */
@Injectable()
export class DnssecFigures implements OnModuleDestroy {
  private zones: readonly { readonly state: string; readonly count: number }[] = [];
  private firstDue: number | null = null;
  private readonly ends: (() => void)[];

  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly reads: Reads,
    private readonly clock: Clock,
    private readonly options: DnssecOptions,
  ) {
    this.ends = [
      showGauge(ZONES, () => this.zones.map(({ state, count }) => ({ labels: { state }, value: count })), 'max'),
      showGauge(LATE, () => this.sinceDue((wait) => Math.max(0, wait)), 'max'),
      showGauge(REST, () => this.sinceDue((wait) => this.options.refresh - wait), 'max'),
    ];
  }

  onModuleDestroy(): void {
    for (const end of this.ends) end();
  }

  async read(): Promise<void> {
    const { zones, firstDue } = await this.reads.run((tx) => this.signing.summary(tx));
    this.zones = zones;
    this.firstDue = firstDue;
  }

  /** Nothing where nothing is due, or another process knows. */
  private sinceDue(
    show: (wait: number) => number,
  ): { readonly labels: Record<string, never>; readonly value: number }[] {
    if (this.firstDue === null) return [];
    return [{ labels: {}, value: show((this.clock.now() - this.firstDue) / SECOND) }];
  }
}
