import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest } from '@jest/globals';
import { compileLibcTrouble } from '../abuse/libc-trouble.js';
import { Random, seedFrom } from '../crash/random.js';
import { PATRONI } from '../failover/patroni-cluster.js';
import { FOUR_SERVERS } from '../publishing/software.js';
import { audit } from '../support/audit.js';
import { isInstalled, itUnasked, itWith, type Program } from '../support/run-program.js';
import { Place } from './place.js';
import { makeTrouble } from './troubles.js';
import { missingZones, wrongDomains } from './verdict.js';
import { type Met, WayIn } from './way-in.js';
import { ChangeSetWriter, LIMIT, LimitWriter, RecordSetWriter, RecordWriter, type Writer } from './writers.js';

/** `npm run test:chaos` runs 60 minutes and prints the events; `npm run test:all` sets none. */
const MINUTES = Number(process.env.ZONEWRIGHT_CHAOS_MINUTES ?? 0);
const itWhenAsked = MINUTES > 0 ? itWith : () => itUnasked('npm run test:chaos');
const SEED = seedFrom('ZONEWRIGHT_CHAOS_SEED');
/** Writers of each kind. */
const WRITERS = 2;
/** In MiB. */
const LARGEST_PROCESS = 600;

jest.setTimeout(MINUTES * 60_000 + 600_000);

const trouble = compileLibcTrouble();
const NEEDS: Program = {
  name: 'Patroni, four name servers and gcc',
  needs: { ...PATRONI.needs, ...FOUR_SERVERS.needs, ...trouble.needs.needs },
};

let directory: string;
let place: Place | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-chaos-'));
  await chmod(directory, 0o755);
  if (MINUTES > 0 && isInstalled(NEEDS)) place = await Place.start(directory, trouble);
});
afterAll(async () => {
  await place?.stop();
  await rm(directory, { recursive: true, force: true });
});

const KINDS = [RecordWriter, ChangeSetWriter, RecordSetWriter, LimitWriter] as const;

function writersFor({ hosts }: Place, met: Met, random: Random): Writer[] {
  const urls = hosts.map(({ url }) => url);
  return KINDS.flatMap((Kind, kind) =>
    Array.from(
      { length: WRITERS },
      (_, at) => new Kind(`k${kind}w${at}`, new WayIn(urls, at, met), random.fork(), met),
    ),
  );
}

/** Looks at the processes of all hosts all the time. */
async function watchMemory({ hosts }: Place, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    for (const host of hosts) await host.lookAtMemory();
    await delay(500);
  }
}

describe('18.1, 18.2, 18.4, 18.7, 8.1, 12.1 all failures together', () => {
  itWhenAsked(NEEDS)(
    `loses nothing, makes nothing twice, and reaches all name servers (${MINUTES} minutes)`,
    async () => {
      if (place === undefined) throw new Error('nothing has started');
      const { hosts } = place;
      await happenTo(place).catch((error: unknown) => {
        throw new Error(`seed ${SEED}: ${String(error)}\n${hosts.flatMap((host) => host.failures()).join('\n')}`);
      });
    },
  );
});

/** Runs the failures for MINUTES minutes, then compares the data. */
async function happenTo(place: Place): Promise<void> {
  const random = new Random(SEED);
  const met: Met = { acknowledged: 0, refused: 0, unanswered: 0, replayed: 0 };
  const writers = writersFor(place, met, random);
  const [trouble, work, watch] = [new AbortController(), new AbortController(), new AbortController()];
  const watching = watchMemory(place, watch.signal);
  const working = Promise.all(writers.map((writer) => writer.work(work.signal)));
  const happening = makeTrouble(place, random, trouble.signal);
  try {
    await Promise.race([delay(MINUTES * 60_000), working, happening]);
    trouble.abort();
    const happened = await happening;
    work.abort();
    await working;
    const domains = writers.flatMap((writer) => writer.domains);
    const database = place.cluster.proxyUrl;
    const wrong = wrongDomains(domains, database);
    await fillAll(writers);
    audit(database);
    const missing = await missingZones(place, database);
    watch.abort();
    await watching;
    const largest = Math.round(Math.max(...place.hosts.map((host) => host.largest)));
    const done = `chaos, ${MINUTES} minutes, seed ${SEED}: ${JSON.stringify({ ...met, domains: domains.length, happened, largest })}`;
    process.stderr.write(`${done}\n`);

    expect({ done, wrong, missing }).toEqual({ done, wrong: [], missing: [] });
    expect(largest).toBeLessThan(LARGEST_PROCESS);
  } finally {
    for (const end of [trouble, work, watch]) end.abort();
    for (const writer of writers) writer.close();
    await Promise.allSettled([working, happening, watching]);
  }
  for (const host of place.hosts) {
    expect(await host.stop()).toBe(0);
    expect(host.said).not.toMatch(/unhandled|TypeError|RangeError/i);
  }
}

/** Fills each limited set up to its limit. */
async function fillAll(writers: readonly Writer[]): Promise<void> {
  for (const writer of writers) {
    if (!(writer instanceof LimitWriter)) continue;
    for (const domain of writer.domains) {
      await writer.fill(domain);
      expect(domain.records.size).toBe(LIMIT);
    }
  }
}
