import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Attacks come from here, and everybody else from 127.0.0.1: a bound on one address is the attacker's alone. */
const ATTACKER_ADDRESS = '127.0.0.66';

/** Connections that send the same octets again and again without waiting for answers. */
export interface Connections {
  readonly kind: 'connections';
  readonly connections: number;
  /** The octets that each connection sends, usually a whole request. */
  readonly octets: string;
  readonly times: number;
  /** A number: octets each second. */
  readonly reads: 'nothing' | 'everything' | number;
  /** Whether a connection that the service closes is opened again. */
  readonly reopens: boolean;
}

/** Well-formed requests, several concurrently, each read to its end; `%n` is the request number. */
export interface Requests {
  readonly kind: 'requests';
  readonly parallel: number;
  /** All of them together. */
  readonly times: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The outcome of a flood. */
export interface FloodReport {
  readonly opened: number;
  /** By the service. */
  readonly closed: number;
  readonly failed: number;
  /** Read from the service. */
  readonly octets: number;
  readonly requests: number;
  /** Number of responses by status, or by connection outcome. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Flood {
  /** Resolves when all of it is sent and answered, or its time is over. */
  readonly ended: Promise<FloodReport>;
  /** Closes its connections. */
  end(): Promise<FloodReport>;
}

/** Starts a flood against a service on this machine. Ends after `seconds`, or when `signal` aborts. */
export function startFlood(url: string, flood: Connections | Requests, seconds: number, signal: AbortSignal): Flood {
  const worker = new Worker(join(import.meta.dirname, 'flood-worker.js'), {
    workerData: { url, flood, localAddress: ATTACKER_ADDRESS, seconds },
    execArgv: [],
  });
  const end = (): void => worker.postMessage('end');
  signal.addEventListener('abort', end);
  const ended = new Promise<FloodReport>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the flood ended without a report')));
  }).finally(() => {
    signal.removeEventListener('abort', end);
    return worker.terminate();
  });
  return {
    ended,
    end: () => {
      end();
      return ended;
    },
  };
}

/** A GET as it is sent. */
export function getRequest(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`;
}

const ESTABLISHED = '01';

/** How many connections from the attacker's address a service on this machine holds, as the kernel sees it. */
export async function connectionsHeld(url: string): Promise<number> {
  const [, ...rows] = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n');
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const attacker = Buffer.from(ATTACKER_ADDRESS.split('.').map(Number).reverse()).toString('hex').toUpperCase();
  const held = rows.filter((row) => {
    const [, local = '', remote = '', state] = row.trim().split(/\s+/);
    return local.endsWith(`:${port}`) && remote.startsWith(`${attacker}:`) && state === ESTABLISHED;
  });
  return held.length;
}
