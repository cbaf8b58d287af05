import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../crash/random.js';
import { NODES } from '../failover/patroni-cluster.js';
import type { Host } from './host.js';
import type { Place, Secondary } from './place.js';

/** Something that goes wrong, and is well again when it resolves. */
interface Trouble {
  readonly name: string;
  readonly happen: (place: Place, random: Random) => Promise<void>;
}

/** Until a name server that was killed has its port again, in milliseconds. */
const RESTART_TIME = 30_000;

/** Seconds that something lasts, in milliseconds. */
const some = (random: Random, least: number, most: number): Promise<void> =>
  delay((least + random.next() * (most - least)) * 1000);

const hostOf = ({ hosts }: Place, random: Random): Host => hosts[random.below(hosts.length)] ?? hosts[0];
const nodeOf = (random: Random) => NODES[random.below(NODES.length)] ?? NODES[0];

/** Database failures. The next one waits until the cluster is whole again, since two together may lose data. */
const OF_DATABASE: readonly Trouble[] = [
  {
    name: 'primary killed',
    happen: async ({ cluster }) => cluster.cause('kill -9'),
  },
  {
    name: 'primary partitioned',
    happen: async ({ cluster }) => cluster.cause('partition'),
  },
  {
    name: 'switchover',
    happen: async ({ cluster }) => cluster.cause('switchover'),
  },
  {
    name: 'standby killed',
    happen: async ({ cluster }) => cluster.killStandby(),
  },
  {
    name: 'slow disk',
    happen: async ({ disks }, random) => {
      const node = nodeOf(random);
      await disks.slowDown(node);
      await some(random, 3, 8);
      await disks.speedUp(node);
    },
  },
  {
    name: 'full disk',
    happen: async ({ disks }, random) => {
      const node = nodeOf(random);
      await disks.fill(node);
      await some(random, 2, 6);
      await disks.empty(node);
    },
  },
];

/** Failures of the service processes and of their database connections. */
const OF_SERVICE: readonly Trouble[] = [
  {
    name: 'worker killed',
    happen: async (place, random) => {
      const worker = random.pick(hostOf(place, random).workers);
      if (worker !== undefined) signal(worker, 'SIGKILL');
    },
  },
  {
    name: 'worker stopped',
    happen: async (place, random) => {
      const worker = random.pick(hostOf(place, random).workers);
      if (worker === undefined) return;
      signal(worker, 'SIGSTOP');
      await some(random, 2, 12);
      signal(worker, 'SIGCONT');
    },
  },
  {
    name: 'host killed',
    happen: async (place, random) => {
      const host = hostOf(place, random);
      await host.kill();
      await some(random, 0, 3);
      await host.restart();
    },
  },
  {
    name: 'host cut off',
    happen: async ({ network, cluster }, random) => {
      network.delayAnswers(Infinity);
      await some(random, 2, 10);
      network.delayAnswers(0);
      // Data lost on broken connections is not sent again.
      network.lead(Number(new URL(cluster.proxyUrl).port));
    },
  },
  {
    name: 'slow network',
    happen: async ({ network }, random) => {
      network.delayAnswers(50 + random.below(200));
      await some(random, 2, 8);
      network.delayAnswers(0);
    },
  },
];

/** Failures of clocks and name servers. */
const OF_OTHERS: readonly Trouble[] = [
  {
    name: 'clock ahead',
    happen: async (place, random) => jump(hostOf(place, random), 1 + random.below(600), random),
  },
  {
    name: 'clock behind',
    happen: async (place, random) => jump(hostOf(place, random), -1 - random.below(600), random),
  },
  {
    name: 'name server killed',
    happen: async ({ secondaries }, random) => {
      const server = random.pick(secondaries);
      if (server === undefined) return;
      await server.stop('SIGKILL');
      await some(random, 0, 3);
      await startAgain(server);
    },
  },
  {
    name: 'NOTIFY lost',
    happen: async ({ secondaries }, random) => {
      const relay = random.pick(secondaries)?.relay;
      relay?.loseNotifies(Infinity);
      await some(random, 2, 10);
      relay?.loseNotifies(0);
    },
  },
];

async function jump(host: Host, offset: number, random: Random): Promise<void> {
  host.setClock(offset);
  await some(random, 2, 10);
  host.setClock(0);
}

/** Processes of NSD that outlive the killed one hold its port for a moment. */
async function startAgain(server: Secondary): Promise<void> {
  const deadline = performance.now() + RESTART_TIME;
  for (;;) {
    try {
      await server.start();
      return;
    } catch (error) {
      if (performance.now() > deadline || !String(error).includes('already in use')) throw error;
      await delay(100);
    }
  }
}

/** It may have ended already. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}

/** How often each has happened. */
export type Happened = Record<string, number>;

/** Causes one failure of each kind after another until the end, all kinds concurrently. */
export async function makeTrouble(place: Place, random: Random, end: AbortSignal): Promise<Happened> {
  const happened: Happened = {};
  const lane = async (troubles: readonly Trouble[], own: Random, rest: () => Promise<void>): Promise<void> => {
    while (!end.aborted) {
      const trouble = own.pick(troubles);
      if (trouble === undefined) return;
      happened[trouble.name] = (happened[trouble.name] ?? 0) + 1;
      await trouble.happen(place, own);
      await rest();
      await some(own, 0.5, 3);
    }
  };
  await Promise.all([
    lane(OF_DATABASE, random.fork(), () => place.cluster.settled()),
    lane(OF_SERVICE, random.fork(), async () => undefined),
    lane(OF_OTHERS, random.fork(), async () => undefined),
  ]);
  return happened;
}
