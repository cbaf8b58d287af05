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
import { BOUNDS, KILLED_AT, type Outcome, publish, violationsOf } from './verdict.js';
import { answerTimeOf, type Vitals, vitalsOf, VitalSigns } from './vital-signs.js';

/** The limits that a tenant has unless somebody changes them; tests elsewhere have roomier ones. */
const DEFAULT_QUOTAS: Settings = {
  SERVICE_API__CHANGES_PER_MINUTE: '6000',
  DEFAULT__QUOTA_ZONES: '10',
  DEFAULT__QUOTA_ZONE_RECORDS: '500',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
  DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
};

/** The good client is alone with the service for so long, in milliseconds. */
const CALM = 1000;
/** No flood goes on for longer, in seconds. */
const LONGEST_FLOOD = inForm(60, 300);

/** In milliseconds; what does not stop is killed. */
const LONGEST_STOP = 20_000;
/** In milliseconds. */
const LONGEST_COMMAND = inForm(60_000, 300_000);

/** The tenant that attacks, with headers as noauth reads them. */
export const MALLORY = { 'X-Auth-Project-ID': 'mallory', 'X-Roles': 'member' };

/** A service of its own process under attack. */
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
  /** Aborted when the service takes too much or is gone: whatever the attack waits for will not come. */
  readonly signal: AbortSignal;
  /** Waits, as far as the signal lets. */
  hold(milliseconds: number): Promise<void>;
  /** What the service has logged. */
  log(): string;
  /** Runs `zonewright …` on the same database; one that takes too long is killed, and its code is null. */
  zonewright(...args: string[]): Promise<Ended>;
  /** Has something said with the figures. */
  note(notes: object): void;
  /** Has a test fail with these words where something does not hold, once all is measured. */
  must(holds: boolean, words: string): void;
}

export interface Attack<T> {
  readonly name: string;
  readonly settings?: Settings;
  /** What the process of the service finds in its environment beside its options. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Say who the good client is, where noauth does not believe it. */
  readonly goodHeaders?: Readonly<Record<string, string>>;
  /** Before the service starts; `env` is its environment. */
  readonly seed?: (directory: string, env: Record<string, string>) => Promise<void>;
  /** Before anything is measured. */
  readonly prepare?: (target: Target) => Promise<T>;
  readonly run: (target: Target, prepared: T) => Promise<void>;
  /** Whether the database is too large to be gone through afterwards, or damaged on purpose. */
  readonly isUnaudited?: boolean;
  /** Whether the journal may lack its beginning, because it is only kept for a time. */
  readonly isHistoryCut?: boolean;
  /** Whether changes are expected to take long, and only reads are held to their time. */
  readonly isAboutReads?: boolean;
}

/**
 * Runs an attack beside a well-behaved client, on a service and a database of their own.
 * @returns every bound that did not hold (verdict.ts) in words
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
  const target = targetOf(service, directory, env, danger.signal, { notes, faults });
  // Where there is nothing to prepare T is undefined.
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
  // What the attack has left running has had its chance to disturb.
  danger.abort();
  const worst = await signs.stop();
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

function targetOf(
  service: ServiceProcess,
  directory: string,
  env: Record<string, string>,
  signal: AbortSignal,
  { notes, faults }: { readonly notes: Record<string, unknown>; readonly faults: string[] },
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

/** What the good client was told and does not find; a service that has ended, or shows nothing, is started again. */
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
