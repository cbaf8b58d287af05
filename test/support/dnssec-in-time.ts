import { Scheduler } from '../../src/background/scheduler.js';
import { Parents } from '../../src/dnssec/parent/parents.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { bodyOf } from './answers.js';
import type { AssembledService } from './assembled-service.js';
import type { TestDomain } from './domain.js';
import type { SteppedClock } from './stepped-clock.js';
import { until } from './until.js';

const PRESENT = new AbortController().signal;
const SECOND = 1_000_000;
/** Between two looks, in seconds. */
const STEP = 60;

/** The signing state and the observed parent, as the interface shows them. */
export interface ShownDnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly rollover: { readonly step: string } | null;
  readonly parent: {
    readonly zone: string | null;
    readonly hosted: boolean;
    readonly ds: readonly string[] | null;
    readonly matches: boolean | null;
    readonly resolver: string | null;
    readonly problem: string | null;
    readonly servers: readonly {
      readonly name: string;
      readonly ds: readonly string[] | null;
      readonly error: string | null;
    }[];
  } | null;
}

export function dnssecPath({ id }: TestDomain): string {
  return `/v1/domains/${id}/dnssec`;
}

/** Signed domains of a service whose clock the test moves: parents are looked at whenever that is due. */
export class DnssecInTime {
  constructor(
    private readonly service: AssembledService,
    private readonly clock: SteppedClock,
  ) {}

  shown(domain: TestDomain): Promise<ShownDnssec> {
    return bodyOf<ShownDnssec>(this.service.call('get', dnssecPath(domain)));
  }

  sign({ id }: TestDomain): Promise<void> {
    return this.service.get(SigningJobs).run(id, PRESENT);
  }

  /** Advances the time and runs due work. */
  async pass(seconds: number): Promise<void> {
    this.clock.instant += seconds * SECOND;
    const background = this.service.get(Scheduler);
    await background.runNow('dnssec.due');
    await background.runNow('dnssec.parents');
    await this.service.get(Parents).end();
    await background.runNow('dnssec.due');
  }

  async reach(domain: TestDomain, isSo: (dnssec: ShownDnssec) => boolean, step = STEP): Promise<ShownDnssec> {
    await until(async () => {
      await this.sign(domain);
      await this.pass(step);
      return isSo(await this.shown(domain));
    });
    return this.shown(domain);
  }
}
