import { Resolver } from 'node:dns/promises';
import { type ClientRequestArgs, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { fieldOf, listOf, textOf } from '../common/json.js';
import { AllowedTargets, hostOf, portOf } from './allowed-targets.js';
import { WebhooksOptions } from './webhooks.options.js';

/** What a target has answered. */
export interface TargetAnswer {
  readonly status: number;
  /** Seconds that it asks for; `null`: it asks for none. */
  readonly retryAfter: number | null;
}

/** Why a target was not called. Its message is for the tenant whose webhook it is. */
export class TargetFault extends Error {
  constructor(
    readonly kind: 'blocked' | 'timeout' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'TargetFault';
  }
}

/** Octets of an answer's body that are read at most; none of them is kept. */
const MOST_READ = 4096;
/** Of one question to a name server, in milliseconds; it is asked once more. */
const LOOKUP_TIMEOUT = 3000;

/**
 * Calls targets. Each call has a connection of its own, to an address that was looked up and judged for it: a name that leads
 * elsewhere the next time is judged anew. Redirects are not followed, and no proxy of the environment is used.
 */
@Injectable()
export class TargetClient {
  private readonly resolver = new Resolver({ timeout: LOOKUP_TIMEOUT, tries: 2 });

  constructor(
    private readonly targets: AllowedTargets,
    private readonly options: WebhooksOptions,
  ) {
    const { nameServers } = options.limits;
    if (nameServers.length > 0)
      this.resolver.setServers(nameServers.map(({ host, port }) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`));
  }

  /**
   * @param stop ends the call
   * @throws TargetFault where there is no answer within the time that calls have
   */
  async post(
    target: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    stop: AbortSignal,
  ): Promise<TargetAnswer> {
    const url = new URL(target);
    const { allowHttp, allowedPorts, requestTimeout } = this.options.limits;
    // What was allowed when the webhook was made may be so no longer.
    if (url.protocol === 'http:' && !allowHttp) throw new TargetFault('blocked', 'http:// is not called any more');
    const port = portOf(url);
    if (allowedPorts.length > 0 && !allowedPorts.includes(port))
      throw new TargetFault('blocked', `port ${port} is not called any more`);
    // Nothing is looked up for an address.
    if (isIP(hostOf(url)) > 0) this.assertAllowed([hostOf(url)], hostOf(url));
    // Not `AbortSignal.any`, whose signal Node may collect while somebody listens to it.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const tooLate = new TargetFault('timeout', `no answer within ${requestTimeout} seconds`);
    const timer = setTimeout(() => ending.abort(tooLate), requestTimeout * 1000);
    stop.addEventListener('abort', end);
    try {
      stop.throwIfAborted();
      return await this.send(url, headers, body, ending.signal);
    } catch (error) {
      if (error instanceof TargetFault) throw error;
      if (ending.signal.reason === tooLate) throw tooLate;
      throw new TargetFault('failed', wordsOf(error));
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  private send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<TargetAnswer> {
    const options: ClientRequestArgs = {
      method: 'POST',
      host: hostOf(url),
      port: portOf(url),
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      // A connection of its own, whatever agents there are.
      agent: false,
      lookup: this.lookup,
      signal,
    };
    return new Promise((resolve, reject) => {
      const call = url.protocol === 'https:' ? requestByHttps(options) : requestByHttp(options);
      call.once('error', reject);
      call.once('response', (answer) => {
        answer.once('error', reject);
        readSome(answer, () => {
          // With what has not been read.
          call.destroy();
          resolve({ status: answer.statusCode ?? 0, retryAfter: secondsOf(answer.headers['retry-after']) });
        });
      });
      call.end(body);
    });
  }

  /** What a connection asks for the addresses of a name: it is made to one of those that are returned. */
  private readonly lookup: LookupFunction = (host, { all }, callback) => {
    this.addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (all === true) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };

  /** Asked by sockets of their own: names of tenants must not hold up the few threads that look up names for everybody. */
  private async addressesOf(host: string): Promise<{ address: string; family: number }[]> {
    const found = await Promise.allSettled([this.resolver.resolve4(host), this.resolver.resolve6(host)]);
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (addresses.length === 0) throw new TargetFault('failed', `${host}: no address is known`);
    return this.assertAllowed(addresses, host).map((address) => ({ address, family: isIP(address) }));
  }

  /** @throws TargetFault where none of them may be called */
  private assertAllowed(addresses: readonly string[], host: string): string[] {
    const allowed = addresses.filter((address) => this.targets.allows(address));
    if (allowed.length > 0) return allowed;
    throw new TargetFault('blocked', `${host}: its address is not called by this service`);
  }
}

/** Reads no more than is worth it; what comes behind is cut off. */
function readSome(answer: IncomingMessage, done: () => void): void {
  let octets = 0;
  answer.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets >= MOST_READ) done();
  });
  answer.once('end', done);
}

/** RFC 9110 §10.2.3; dates are read as well. */
function secondsOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** What a tenant is told of a failure: its code, or that of the first address that was tried. */
function wordsOf(error: unknown): string {
  const [first] = listOf(fieldOf(error, 'errors'));
  const code = textOf(fieldOf(first ?? error, 'code'));
  return code === null ? 'the connection failed' : `the connection failed: ${code}`;
}
