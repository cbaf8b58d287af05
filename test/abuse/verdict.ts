import { appendFileSync } from 'node:fs';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { IS_LONG } from './form.js';
import type { ClientFigures } from './good-client.js';
import type { Vitals, Worst } from './vital-signs.js';

/** Bounds that no client may violate. Times in milliseconds, memory in MiB. */
export const BOUNDS = {
  p99: 1000,
  rss: 600,
  descriptors: 1000,
  /** Until the service is at rest again. */
  rest: 10_000,
  /** Memory at rest: a process returns it with a delay. */
  rssGrowth: 200,
  /**
   * SQLite keeps the descriptors of connections that were closed, one for each export at most, to use them again: to close
   * one would drop the locks that the process has on the file.
   */
  descriptorGrowth: 20 + 32,
  answerTime: 250,
};

/** Beyond it, in MiB, the service is killed, lest it take the machine with it. */
export const KILLED_AT = 6 * 1024;

/** All that was seen of one attack. */
export interface Outcome {
  readonly attack: string;
  readonly good: ClientFigures;
  readonly before: Vitals;
  readonly worst: Worst;
  /** When it was at rest, or gave up waiting for that. */
  readonly after: Vitals | null;
  /** `null`: it did not come to rest in time. */
  readonly restedAfter: number | null;
  readonly lost: readonly string[];
  /** How the service ended under the attack, `null` when it did not. */
  readonly death: string | null;
  /** Bounds that the attack itself found violated. */
  readonly faults: readonly string[];
  /** Extra figures that the attack reports. */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** Every bound that did not hold, in words. */
export function violationsOf(
  { good, worst, restedAfter, after, lost, death, faults }: Outcome,
  isAboutReads = false,
): string[] {
  const p99 = isAboutReads ? good.readP99 : good.p99;
  const longest = BOUNDS.p99 * stretchOf(worst);
  const checks: [isBroken: boolean, words: string][] = [
    [death !== null, `the service ended: ${String(death)}`],
    [
      !(p99 < longest),
      `of the good client's answers one in a hundred took ${ms(p99)}, more than ${ms(longest)}; for ${percent(worst.waiting)} of the time the` +
        ' service waited for a processor',
    ],
    [Object.keys(good.refusals).length > 0, `the good client was refused: ${JSON.stringify(good.refusals)}`],
    [good.acknowledged === 0, 'no change of the good client was acknowledged'],
    [worst.rss > BOUNDS.rss, `the service took ${worst.rss.toFixed(0)} MiB`],
    [worst.descriptors > BOUNDS.descriptors, `the service had ${worst.descriptors} descriptors`],
    [restedAfter === null && death === null, `the service did not come to rest: ${JSON.stringify(after)}`],
  ];
  return [...checks.filter(([isBroken]) => isBroken).map(([, words]) => words), ...lost, ...faults];
}

/** No machine is so busy that a time is stretched by more. */
const LONGEST_STRETCH = 4;

/** How much other processes slowed everything down: tests run in parallel. */
export function stretchOf({ waiting }: Pick<Worst, 'waiting'>): number {
  return Number.isNaN(waiting) ? 1 : Math.min(LONGEST_STRETCH, 1 / Math.max(0.01, 1 - waiting));
}

/** Shows the figures of the long form, and puts them into the file that ZONEWRIGHT_ABUSE_FIGURES names, a line for each attack. */
export function publish(outcome: Outcome): void {
  const line = JSON.stringify(
    rounded({ database: ON_POSTGRES ? 'postgres' : 'sqlite', form: IS_LONG ? 'long' : 'short', ...outcome }),
  );
  if (IS_LONG) process.stderr.write(`abuse: ${line}\n`);
  const file = process.env.ZONEWRIGHT_ABUSE_FIGURES;
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}

function rounded(value: object): object {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'number' ? Math.round(inner * 100) / 100 : inner,
  ) as object;
}

function ms(time: number): string {
  return `${Math.round(time)} ms`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
