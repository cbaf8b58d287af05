import {
  type ClientRequestArgs,
  request as requestByHttp,
  type ClientRequest,
  type IncomingMessage,
  Agent as HttpAgent,
} from 'node:http';
import { request as requestByHttps, Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { fieldOf, listOf, textOf } from '../../../common/json.js';
import { hostOf, portOf, TargetAddresses, TargetFault } from './allowed-targets.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { createSecureContext, type SecureContext } from 'node:tls';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Connects to checked addresses only, so that DNS rebinding has no effect. Follows no redirects, uses no proxy. */
@Injectable()
export class TargetClient {
  constructor(
    private readonly addresses: TargetAddresses,
    private readonly options: WebhooksOptions,
  ) {}

  /** Reuses the connection of `line`. Throws TargetFault without an answer in time. */
  async post(target: string, sent: Sent, line: TargetLine, stop: AbortSignal): Promise<TargetAnswer> {
    const url = new URL(target);
    this.assertStillAllowed(url);
    const { requestTimeout } = this.options.limits;
    // Not `AbortSignal.any`: Node may collect its signal despite listeners.
    const ending = new AbortController();
    const end = (): void => ending.abort(new TargetFault('failed', 'the service stops'));
    const giveUp = (): void => ending.abort(new TargetFault('timeout', `no answer within ${requestTimeout} seconds`));
    const timer = setTimeout(giveUp, requestTimeout * 1000);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
    try {
      const request = url.protocol === 'https:' ? requestByHttps : requestByHttp;
      const call = request({ ...this.argumentsOf(url, sent, ending.signal), agent: line.agentFor(url) });
      return await exchange(call, sent.body, ending.signal);
    } catch (error) {
      throw error instanceof TargetFault ? error : new TargetFault('failed', wordsOf(error));
    } finally {
      // Aborts pending lookups.
      ending.abort(OVER);
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  /** The options may have changed since the webhook was created. */
  private assertStillAllowed(url: URL): void {
    const { allowHttp, allowedPorts } = this.options.limits;
    if (url.protocol === 'http:' && !allowHttp) throw new TargetFault('blocked', 'http:// is no longer allowed');
    const port = portOf(url);
    if (allowedPorts.length > 0 && !allowedPorts.includes(port))
      throw new TargetFault('blocked', `port ${port} is no longer allowed`);
    if (isIP(hostOf(url)) > 0) this.addresses.assertAllowed([hostOf(url)], hostOf(url));
  }

  private argumentsOf(url: URL, { headers, body }: Sent, signal: AbortSignal): ClientRequestArgs {
    return {
      method: 'POST',
      host: hostOf(url),
      port: portOf(url),
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: this.addresses.lookup(signal),
    };
  }
}

/** Shared, because creating an error per call would capture a stack. */
const OVER = new TargetFault('failed', 'the call is over');

/** Describes a connection failure by its code, or the code of the first tried address. */
function wordsOf(error: unknown): string {
  const [first] = listOf(fieldOf(error, 'errors'));
  const code = textOf(fieldOf(first ?? error, 'code'));
  return code === null ? 'the connection failed' : `the connection failed: ${code}`;
}

export interface TargetAnswer {
  readonly status: number;
  /** Seconds from `Retry-After`, or `null`. */
  readonly retryAfter: number | null;
}

/** Limit for the discarded body of an answer, in octets. */
const MOST_READ = 4096;
/** Limit of informational responses (RFC 9110 §15.2), each of which costs parsing. */
const MOST_ANNOUNCEMENTS = 10;

/** Node reports some ends only by `close`, and a protocol switch is no `response`. */
async function exchange(call: ClientRequest, body: string, signal: AbortSignal): Promise<TargetAnswer> {
  let giveUp = (): void => undefined;
  try {
    return await new Promise<TargetAnswer>((resolve, reject) => {
      // The error has the reason.
      giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp);
      if (signal.aborted) giveUp();
      const answered = ({ statusCode, headers }: IncomingMessage): void =>
        resolve({ status: statusCode ?? 0, retryAfter: secondsOf(headers['retry-after']) });
      call.on('error', reject);
      call.on('close', () => reject(new Error('the connection was closed')));
      call.on('upgrade', (answer, socket) => {
        // Node has removed all other listeners.
        socket.on('error', () => undefined).destroy();
        answered(answer);
      });
      refuseManyAnnouncements(call, reject);
      call.on('response', (answer) => readSome(answer, answered, reject));
      call.end(body);
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
    // Discards the rest of the body.
    call.destroy();
  }
}

function refuseManyAnnouncements(call: ClientRequest, refuse: (fault: TargetFault) => void): void {
  let count = 0;
  call.on('information', () => {
    count += 1;
    if (count > MOST_ANNOUNCEMENTS) refuse(new TargetFault('failed', 'too many informational responses'));
  });
}

function readSome(
  answer: IncomingMessage,
  done: (answer: IncomingMessage) => void,
  fail: (error: Error) => void,
): void {
  let octets = 0;
  answer.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets >= MOST_READ) done(answer);
  });
  answer.on('end', () => done(answer));
  answer.on('error', fail);
}

/** RFC 9110 §10.2.3: seconds or a date. */
function secondsOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

const KEPT = { keepAlive: true, maxSockets: 1 };

/** Keeps a checked connection for consecutive calls, because an HTTPS handshake costs more than the call. */
export class TargetLine {
  private readonly agents = new Map<string, HttpAgent>();

  agentFor({ protocol }: URL): HttpAgent {
    const agent = this.agents.get(protocol) ?? agentOf(protocol);
    this.agents.set(protocol, agent);
    return agent;
  }

  end(): void {
    for (const agent of this.agents.values()) agent.destroy();
  }
}

function agentOf(protocol: string): HttpAgent {
  if (protocol !== 'https:') return new HttpAgent(KEPT);
  return new HttpsAgent({ ...KEPT, secureContext: (trusted ??= createSecureContext()) });
}

/** CA certificates of Node, shared because each connection would parse them again. */
let trusted: SecureContext | undefined;
