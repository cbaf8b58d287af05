import { setTimeout as delay } from 'node:timers/promises';
import { killAll, killWhileStarting, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { Caller } from './caller.js';
import { DomainThing, Ledger } from './ledger.js';
import { createDomain, Writer, writeUntilGone } from './load.js';
import type { Random } from './random.js';
import { differences } from './reconcile.js';
import { repeatKeyed } from './repeat.js';
import type { Store } from './store.js';

const WRITERS = 8;
const SHARED_DOMAINS = 3;
/** Minimum load time before the kill, in milliseconds. */
const SHORTEST_LIFE = 20;
const LONGEST_LIFE = 900;
/** One round in this many kills the service while it recovers from the kill before. */
const KILL_IN_START = 5;
const LONGEST_START = 1500;

export interface Figures {
  rounds: number;
  killedInStart: number;
  readonly counts: Ledger['counts'];
}

/**
 * Repeats start, audit, load and kill -9 on one database.
 * @returns a message for each difference between acknowledged and stored state
 */
export async function crashAgainAndAgain(
  store: Store,
  rounds: number,
  random: Random,
  figures: Figures,
): Promise<string[]> {
  const ledger = new Ledger(figures.counts);
  const shared = Array.from({ length: SHARED_DOMAINS }, (_, at) => new DomainThing(`shared${at}.example.org.`));
  for (let round = 0; round < rounds; round++) {
    const own = random.fork();
    if (own.below(KILL_IN_START) === 0) {
      await killWhileStarting(store.directory, store.env, own.below(LONGEST_START));
      await store.settled();
      figures.killedInStart += 1;
    }
    const faults = await liveAndDie(store, ledger, shared, `r${round}`, own);
    if (faults.length > 0) return faults.map((fault) => `round ${round}: ${fault}`);
    figures.rounds += 1;
  }
  return auditOnce(store, ledger);
}

async function liveAndDie(
  store: Store,
  ledger: Ledger,
  shared: readonly DomainThing[],
  name: string,
  random: Random,
): Promise<string[]> {
  const service = await startServiceProcess(store.directory, store.env);
  const caller = new Caller(service.url);
  try {
    const faults = await differencesNow(store, ledger, caller);
    if (faults.length > 0) return faults;
    const doubles = await repeatKeyed(ledger, shared, caller);
    if (doubles.length > 0) return doubles;
    await makeMissing(shared, ledger, caller);
    const writers = Array.from(
      { length: WRITERS },
      (_, at) => new Writer(`${name}w${at}`, caller, ledger, shared, random.fork()),
    );
    handOver(ledger, shared, writers);
    const writing = Promise.all(writers.map(writeUntilGone));
    await delay(SHORTEST_LIFE + random.below(LONGEST_LIFE - SHORTEST_LIFE));
    await killed(service, store);
    await writing;
    return complaintsOf(service);
  } finally {
    caller.close();
    await killed(service, store);
  }
}

async function auditOnce(store: Store, ledger: Ledger): Promise<string[]> {
  const service = await startServiceProcess(store.directory, store.env);
  const caller = new Caller(service.url);
  try {
    return await differencesNow(store, ledger, caller);
  } finally {
    caller.close();
    await killed(service, store);
  }
}

async function differencesNow(store: Store, ledger: Ledger, caller: Caller): Promise<string[]> {
  const faults = await differences(ledger, store, caller);
  await store.audit();
  return faults;
}

async function makeMissing(shared: readonly DomainThing[], ledger: Ledger, caller: Caller): Promise<void> {
  for (const domain of shared) {
    if (ledger.domains.has(domain.name)) continue;
    ledger.domains.set(domain.name, domain);
    await createDomain(domain, caller, ledger);
  }
}

/** Assigns things from earlier rounds to the writers of this round, each to one writer. */
function handOver(ledger: Ledger, shared: readonly DomainThing[], writers: readonly Writer[]): void {
  let turn = 0;
  const next = (): Writer | undefined => writers[turn++ % writers.length];
  for (const domain of shared) for (const record of domain.records.values()) next()?.adoptRecord(domain, record);
  for (const domain of ledger.domains.values()) if (!shared.includes(domain)) next()?.adopt(domain);
}

/** A service that is killed has nothing to complain about. */
function complaintsOf(service: ServiceProcess): string[] {
  const { stderr } = service.output();
  return stderr === '' ? [] : [`the service said: ${stderr}`];
}

async function killed(service: ServiceProcess, store: Store): Promise<void> {
  killAll(service);
  await service.ended;
  await store.settled();
}
