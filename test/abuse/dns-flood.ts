import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** As that of other attacks: the well-behaved client has another. */
export const ATTACKER_ADDRESS = '127.0.0.66';

/** UDP messages, each sent `times` times. */
export interface Datagrams {
  readonly kind: 'datagrams';
  readonly messages: readonly Uint8Array[];
  readonly times: number;
  /** A query whose response is awaited after every 32 messages, so that none is dropped; `null`: no waiting. */
  readonly probe: Uint8Array | null;
  /** How many a second; as many as can be sent where it is absent. */
  readonly perSecond?: number;
}

/** TCP connections, and the octets that each sends, with the lengths of messages in front. */
export interface Streams {
  readonly kind: 'streams';
  readonly streams: readonly Uint8Array[];
  /** How many are open at a time. */
  readonly parallel: number;
  /** Sends one octet a second instead of all octets. */
  readonly isSlow: boolean;
  readonly isReading: boolean;
  /** Whether the client ends its side when it has sent all. */
  readonly ends: boolean;
}

export interface DnsFloodReport {
  readonly sent: number;
  /** Datagrams that came back. */
  readonly answers: number;
  readonly opened: number;
  /** By the name server. */
  readonly closed: number;
  /** Read from connections. */
  readonly octets: number;
}

/** An attack on a name server, ready to begin: to hand a large one to its thread takes this thread's time. */
export class DnsFlood {
  private readonly worker: Worker;

  constructor(port: number, flood: Datagrams | Streams, seconds: number) {
    this.worker = new Worker(join(import.meta.dirname, 'dns-flood-worker.js'), {
      workerData: { port, flood, localAddress: ATTACKER_ADDRESS, seconds },
      execArgv: [],
    });
    // Does not keep the process alive if the flood never begins.
    this.worker.unref();
  }

  /** Goes on until all is sent and every connection is closed, or time is over. */
  run(signal: AbortSignal): Promise<DnsFloodReport> {
    const { worker } = this;
    const end = (): void => worker.postMessage('end');
    signal.addEventListener('abort', end);
    worker.ref();
    worker.postMessage('begin');
    return new Promise<DnsFloodReport>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the flood ended without a report')));
    }).finally(() => {
      signal.removeEventListener('abort', end);
      return worker.terminate();
    });
  }
}
