import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePortRange } from '../support/free-port-range.js';
import { childrenOf } from '../support/process.js';
import type { Program } from '../support/run-program.js';
import { until } from '../support/until.js';

export const PATRONI: Program = {
  name: 'Patroni',
  needs: {
    patroni: 'patroni',
    etcd: 'etcd-server',
    '/usr/lib/python3/dist-packages/etcd': 'python3-etcd',
    haproxy: 'haproxy',
    psql: 'postgresql',
    unshare: 'util-linux',
  },
};

const START = resolve(import.meta.dirname, '../../examples/ha/start');
export const NODES = ['a', 'b', 'c'] as const;
export type Node = (typeof NODES)[number];
/** That examples/ha/start takes, from the first one on. */
const PORTS = 25;
/** A busy machine takes long to start nine processes, and to copy a database twice. */
const PATIENCE = 90_000;
/** Timeout for complete recovery: a server that cannot follow is rebuilt. */
const SETTLING = 240_000;
/** In milliseconds. */
const LOOK_AGAIN = 100;
const LAST_LINES = 30;
/** Patroni timeout in milliseconds: Patroni answers a switchover when it has finished. */
const ANSWER_TIME = 30_000;

/** The state of one server by its own Patroni; the view of other nodes comes from etcd and may be old. */
interface ServerState {
  readonly node: Node;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  /** Whether it may take over. */
  readonly sync_standby?: boolean;
  /** The standbys that follow it. */
  readonly replication?: readonly { readonly state: string }[];
}

/** Failures of the primary: it is killed, its etcd is partitioned, or another server takes over. */
export const TROUBLES = ['kill -9', 'partition', 'switchover'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Three nodes and HAProxy, as examples/ha/start starts them. */
export class PatroniCluster {
  /** The etcd that stands still. */
  private suspended: number | null = null;

  private constructor(
    private readonly daemon: Daemon,
    private readonly directory: string,
    private readonly port: number,
  ) {}

  /**
   * @param directory the data folder, accessible to every user
   * @param programs the PostgreSQL program folder; empty: the newest version
   */
  static async start(directory: string, programs = ''): Promise<PatroniCluster> {
    const port = await freePortRange(PORTS);
    const isReady = async (): Promise<boolean> => daemon.log.split('ready: ').length > 2;
    const daemon = new Daemon(commandFor(directory, port, programs), isReady, PATIENCE);
    await daemon.start();
    const cluster = new PatroniCluster(daemon, directory, port);
    await cluster.settled();
    return cluster;
  }

  /** A URL with all three servers. */
  get url(): string {
    return this.urlOf(NODES.map((_, at) => this.port + 10 * at + 1));
  }

  /** The URL that leads to the primary by HAProxy. */
  get proxyUrl(): string {
    return this.urlOf([this.port]);
  }

  /** The URL of the replicas through HAProxy, round robin. */
  get standbysProxyUrl(): string {
    return this.urlOf([this.port + 5]);
  }

  /** URLs of the replicas. */
  async standbyUrls(): Promise<string[]> {
    const leader = await this.leader();
    return NODES.flatMap((node, at) => (node === leader ? [] : [this.urlOf([this.port + 10 * at + 1])]));
  }

  /** Kills the server of a node that follows the primary. Patroni starts it again. */
  async killStandby(): Promise<void> {
    const leader = await this.leader();
    this.killServerOf(leader === 'c' ? 'b' : 'c');
  }

  /** Resolves when another node is the primary. */
  async cause(trouble: Trouble): Promise<void> {
    const former = await this.leader();
    if (trouble === 'kill -9') this.killServerOf(former);
    if (trouble === 'partition') this.suspendEtcd(former);
    if (trouble === 'switchover') await this.switchOver(former);
    await until(async () => (await this.primaries()).some((node) => node !== former), PATIENCE);
  }

  /** Changes the dynamic configuration of Patroni, like `patronictl edit-config`. */
  async configure(change: object): Promise<void> {
    await this.askFor('a', '/config', change, 'PATCH');
  }

  /** Ends a partition. Resolves when two standbys follow the primary, one of them synchronously. */
  async settled(): Promise<void> {
    if (this.suspended !== null) process.kill(this.suspended, 'SIGCONT');
    this.suspended = null;
    try {
      await until(async () => {
        const isDone = isWhole(await this.states());
        // Each status request costs Patroni a full check.
        if (!isDone) await delay(LOOK_AGAIN);
        return isDone;
      }, SETTLING);
    } catch {
      throw new Error(`the cluster is not whole: ${JSON.stringify(await this.states())}\n${await this.lastWords()}`);
    }
  }

  /** Immediate: the end of the PID namespace's first process ends the others. */
  async stop(): Promise<void> {
    await this.daemon.stop('SIGKILL');
  }

  /** The last log lines of Patroni and PostgreSQL on each node. */
  private async lastWords(): Promise<string> {
    const logs = NODES.map(async (node) => {
      const lines = (await readFile(`${this.directory}/log/patroni-${node}.log`, 'utf8')).split('\n');
      const dated = lines.filter((line) => /^\d{4}-/.test(line) && !/Exception happened|Traceback/.test(line));
      return `${node}:\n${dated.slice(-LAST_LINES).join('\n')}`;
    });
    return (await Promise.all(logs)).join('\n');
  }

  private killServerOf(node: Node): void {
    killServer(this.processOf(`postgres -D ${this.directory}/${node}/postgres`));
  }

  private urlOf(ports: readonly number[]): string {
    return `postgresql://zonewright:secret@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/zonewright`;
  }

  private processOf(command: string): number {
    return Number(execFileSync('pgrep', ['--oldest', '--full', command], { encoding: 'utf8' }));
  }

  /** Partitions the Patroni of that node from all others. */
  /** Patroni refuses it for as long as etcd does not name a standby that may take over, as for a moment after one was slow. */
  private async switchOver(leader: Node): Promise<void> {
    await until(async () => {
      try {
        await this.askFor(leader, '/switchover', { leader });
        return true;
      } catch (error) {
        if (!String(error).includes('is answered 412')) throw error;
        await delay(LOOK_AGAIN);
        return false;
      }
    }, PATIENCE);
  }

  private suspendEtcd(node: Node): void {
    this.suspended = this.processOf(`etcd --name ${node} --data-dir ${this.directory}/etcd/`);
    process.kill(this.suspended, 'SIGSTOP');
  }

  /** Resolves when a leader exists. */
  private async leader(): Promise<Node> {
    let primaries: readonly Node[] = [];
    await until(async () => (primaries = await this.primaries()).length === 1, PATIENCE);
    const [leader] = primaries;
    if (leader === undefined) throw new Error('the cluster has no primary');
    return leader;
  }

  private async primaries(): Promise<readonly Node[]> {
    return (await this.states()).filter(isPrimary).map(({ node }) => node);
  }

  /** States of the responding nodes. */
  private async states(): Promise<readonly ServerState[]> {
    const states = NODES.map(async (node): Promise<ServerState[]> => {
      const state = await this.askFor(node, '/patroni').catch(() => null);
      // Patroni responses have no type here.
      return state === null ? [] : [{ ...(state as ServerState), node }];
    });
    return (await Promise.all(states)).flat();
  }

  private async askFor(node: Node, path: string, body?: object, method = 'POST'): Promise<unknown> {
    const url = `http://127.0.0.1:${this.port + 10 * NODES.indexOf(node) + 2}${path}`;
    const signal = AbortSignal.timeout(ANSWER_TIME);
    const answer = await fetch(url, { signal, ...(body && { method, body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status}: ${text}`);
    return body === undefined ? JSON.parse(text) : text;
  }
}

/** In its own view of the system, so that nothing of it outlives us, where we have the right to that. */
function commandFor(directory: string, port: number, programs: string): readonly [string, ...string[]] {
  const start = ['env', `BIN=${programs}`, START, directory, String(port)] as const;
  return process.getuid?.() === 0 ? ['unshare', '--pid', '--mount-proc', '--fork', '--kill-child', ...start] : start;
}

function isPrimary({ role, state }: ServerState): boolean {
  return state === 'running' && (role === 'master' || role === 'primary');
}

/** Two standbys follow the primary on its timeline. One of them is synchronous and may take over. */
function isWhole(states: readonly ServerState[]): boolean {
  const [primary, ...others] = states.filter(isPrimary);
  if (primary === undefined || others.length > 0 || states.length < NODES.length) return false;
  const followers = primary.replication ?? [];
  const isFollowed = followers.length === 2 && followers.every(({ state }) => state === 'streaming');
  const isOnOneTimeline = states.every(({ timeline }) => timeline === primary.timeline);
  return isFollowed && isOnOneTimeline && states.some(({ sync_standby: isSynchronous = false }) => isSynchronous);
}

/** Kills all its processes, as when its machine fails. */
function killServer(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  for (const each of [pid, ...childrenOf(pid)]) killIfThere(each);
}

/** A backend may end by itself before its turn comes. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Node's errors are of another realm than a test's.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
