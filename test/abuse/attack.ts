import { setMaxListeners } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '../support/audit.js';
import { provideSchema } from '../support/postgres/databases.js';
import { type Ended, killAll, runCommandWithin, type ServiceProcess, startServiceProcess } from '../support/process.js';
import {
  type Clients,
  clientsOf,
  databaseFileIn,
  environmentOf,
  removeTestData,
  type Settings,
} from '../support/service.js';
import { type Connections, type Flood, type Requests, startFlood } from './flood.js';
import { inForm } from './form.js';
import { GoodClient } from './good-client.js';
import { BOUNDS, KILLED_AT, type Outcome, publish, stretchOf, violationsOf } from './verdict.js';
import { answerTimeOf, type Vitals, vitalsOf, VitalSigns } from './vital-signs.js';

/** The default tenant quotas; other tests use larger ones. */
const DEFAULT_QUOTAS: Settings = {
  SERVICE_API__CHANGES_PER_MINUTE: '6000',
  DEFAULT__QUOTA_ZONES: '10',
  DEFAULT__QUOTA_ZONE_RECORDS: '500',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
  DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
};

/** How long the good client runs without an attack, in milliseconds. */
const CALM = 1000;
/** No flood goes on for longer, in seconds. */
const LONGEST_FLOOD = inForm(60, 300);

/** Stop timeout in milliseconds; kills the process afterwards. */
const LONGEST_STOP = 20_000;
/** In milliseconds. */
const LONGEST_COMMAND = inForm(60_000, 300_000);

/** The tenant that attacks, with headers as noauth reads them. */
export const MALLORY = { 'X-Auth-Project-ID': 'mallory', 'X-Roles': 'member' };

/** A service process under attack. */
export interface Target {
  readonly url: string;
  readonly pid: number;
  readonly directory: string;
  readonly env: Record<string, string>;
  /** The file, or the URL, that the database is looked into by. */
  readonly database: string;
  readonly clients: Clients;
  /** Ended with the attack at the latest, or when it becomes too dangerous for the machine. */
  flood(flood: Connections | Requests): Flood;
  /** Aborted when the service exceeds its bounds or exits, so that the attack stops waiting. */
  readonly signal: AbortSignal;
  /** Waits, as far as the signal lets. */
  hold(milliseconds: number): Promise<void>;
  /** The log of the service. */
  log(): string;
  /** Runs `zonewright …` on the same database; one that takes too long is killed, and its code is null. */
  zonewright(...args: string[]): Promise<Ended>;
  /** Has something said with the figures. */
  note(notes: object): void;
  /** Has a test fail with these words where something does not hold, once all is measured. */
  must(holds: boolean, words: string): void;
  /** As `must`, for a time in milliseconds. The longest one is stretched as far as other processes slow the service down. */
  mustTake(took: number, longest: number, words: string): void;
}

export interface Attack<T> {
  readonly name: string;
  readonly settings?: Settings;
  /** Extra environment variables of the service process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Headers that identify the good client where noauth does not trust it. */
  readonly goodHeaders?: Readonly<Record<string, string>>;
  /** Before the service starts; `env` is its environment. */
  readonly seed?: (directory: string, env: Record<string, string>) => Promise<void>;
  /** Before anything is measured. */
  readonly prepare?: (target: Target) => Promise<T>;
  readonly run: (target: Target, prepared: T) => Promise<void>;
  /** Skips the final audit: the database is too large, or damaged on purpose. */
  readonly isUnaudited?: boolean;
  /** Whether the journal may lack its beginning, because it is only kept for a time. */
  readonly isHistoryCut?: boolean;
  /** Whether changes are expected to take long, and only reads are held to their time. */
  readonly isAboutReads?: boolean;
}

/**
 * Runs an attack and a well-behaved client against a service with its own database.
 * @returns a message for each violated bound (verdict.ts)
 */
export async function violationsUnder<T>(attack: Attack<T>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-abuse-'));
  provideSchema(directory);
  const env = { ...environmentOf(directory, { ...DEFAULT_QUOTAS, ...attack.settings }), ...attack.environment };
  await attack.seed?.(directory, env);
  const service = await startServiceProcess(directory, env);
  try {
    const outcome = await outcomeOf(attack, directory, env, service);
    publish(outcome);
    service.signal('SIGTERM');
    const hasStopped = await Promise.race([service.ended.then(() => true), never(LONGEST_STOP).then(() => false)]);
    if (attack.isUnaudited !== true) audit(databaseFileIn(directory), attack);
    const violations = violationsOf(outcome, attack.isAboutReads);
    return hasStopped ? violations : [...violations, `SIGTERM has not ended the service in ${LONGEST_STOP} ms`];
  } finally {
    killAll(service);
    await service.ended;
    await removeTestData(directory);
  }
}

async function outcomeOf<T>(
  attack: Attack<T>,
  directory: string,
  env: Record<string, string>,
  service: ServiceProcess,
): Promise<Outcome> {
  const danger = new AbortController();
  setMaxListeners(0, danger.signal);
  const notes: Record<string, unknown> = {};
  const faults: string[] = [];
  const times: Timed[] = [];
  const target = targetOf(service, directory, env, danger.signal, { notes, faults, times });
  // T is undefined for attacks without preparation.
  const prepared = (await attack.prepare?.(target)) as T;
  const good = await GoodClient.start(service.url, 'good.example.org.', attack.goodHeaders);
  const killedAt: number[] = [];
  const guard = (vitals: Vitals | null): void => {
    if (vitals !== null && vitals.rss < KILLED_AT) return;
    if (vitals !== null) killedAt.push(vitals.rss);
    danger.abort();
    killAll(service);
  };
  await delay(CALM);
  const before = await vitalsOf(service.pid);
  const signs = new VitalSigns(service.pid, service.url, guard);
  await attack.run(target, prepared).catch((error: unknown) => {
    if (!danger.signal.aborted) faults.push(String(error));
  });
  const { restedAfter, after } = await waitForRest(service, before ?? NOTHING, danger.signal);
  // Stops waiting only here: the remaining attack traffic has had its chance to disturb.
  danger.abort();
  const worst = await signs.stop();
  for (const { took, longest, words } of times)
    if (!(took < longest * stretchOf(worst))) faults.push(`${words}: ${Math.round(took)} ms`);
  const figures = await good.stop();
  const [rss] = killedAt;
  const death = rss === undefined ? await deathOf(service) : `killed by the test at ${Math.round(rss)} MiB`;
  const lost = await lostBy(good, directory, env, service);
  return {
    attack: attack.name,
    good: figures,
    before: before ?? NOTHING,
    worst,
    after,
    restedAfter,
    lost,
    death,
    faults,
    notes,
  };
}

const NOTHING: Vitals = { rss: 0, descriptors: 0 };

interface Timed {
  readonly took: number;
  readonly longest: number;
  readonly words: string;
}

interface Noted {
  readonly notes: Record<string, unknown>;
  readonly faults: string[];
  readonly times: Timed[];
}

function targetOf(
  service: ServiceProcess,
  directory: string,
  env: Record<string, string>,
  signal: AbortSignal,
  { notes, faults, times }: Noted,
): Target {
  const { url, pid } = service;
  return {
    url,
    pid,
    directory,
    env,
    database: databaseFileIn(directory),
    clients: clientsOf(url),
    flood: (flood) => startFlood(url, flood, LONGEST_FLOOD, signal),
    signal,
    hold: (milliseconds) => delay(milliseconds, undefined, { signal }).catch(() => undefined),
    log: () => Object.values(service.output()).join(''),
    zonewright: (...args) => runCommandWithin(LONGEST_COMMAND, directory, env, args),
    note: (said) => void Object.assign(notes, said),
    must: (holds, words) => {
      if (!holds) faults.push(words);
    },
    mustTake: (took, longest, words) => void times.push({ took, longest, words }),
  };
}

/** Descriptors and memory as before, and prompt answers. */
async function waitForRest(service: ServiceProcess, before: Vitals, signal: AbortSignal) {
  const start = performance.now();
  let after: Vitals | null = before;
  while (!signal.aborted && performance.now() - start < BOUNDS.rest) {
    const answerTime = await Promise.race([answerTimeOf(service.url), never(BOUNDS.rest)]);
    after = await vitalsOf(service.pid);
    if (after === null) break;
    const isAtRest =
      answerTime < BOUNDS.answerTime &&
      after.descriptors <= before.descriptors + BOUNDS.descriptorGrowth &&
      after.rss <= before.rss + BOUNDS.rssGrowth;
    if (isAtRest) return { restedAfter: performance.now() - start, after };
    await delay(100);
  }
  return { restedAfter: null, after };
}

async function never(after: number): Promise<number> {
  await delay(after, undefined, { ref: false });
  return Infinity;
}

/** How the service has ended, `null` while it runs. */
async function deathOf(service: ServiceProcess): Promise<string | null> {
  const ended = await Promise.race([service.ended, delay(100).then(() => null)]);
  return ended === null ? null : `exit code ${String(ended.code)}: ${lastLineOf(ended.stderr)}`;
}

function lastLineOf(text: string): string {
  const lines = text.split('\n').filter((line) => /error|fatal/i.test(line));
  return (lines.at(-1) ?? text).slice(0, 200);
}

/** Acknowledged changes that the service no longer shows; restarts a service that exited or shows nothing. */
async function lostBy(
  good: GoodClient,
  directory: string,
  env: Record<string, string>,
  service: ServiceProcess,
): Promise<string[]> {
  const lost = await good.differences();
  if (lost !== null) return lost;
  killAll(service);
  await service.ended;
  const again = await startServiceProcess(directory, env);
  try {
    const still = await good.differences(again.url);
    return still ?? ["the good client's records cannot be listed, not even after a restart"];
  } finally {
    killAll(again);
    await again.ended;
  }
}
