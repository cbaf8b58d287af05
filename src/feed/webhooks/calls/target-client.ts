import { type ClientRequestArgs, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { fieldOf, listOf, textOf } from '../../../common/json.js';
import { hostOf, portOf } from './allowed-targets.js';
import { TargetAddresses } from './target-addresses.js';
import { exchange, type TargetAnswer } from './target-call.js';
import { TargetFault } from './target-fault.js';
import type { TargetLine } from './target-line.js';
import { WebhooksOptions } from '../webhooks.options.js';

/** What is sent to a target. */
export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Calls targets. A connection is made to an address that was looked up and judged for it, and serves the calls of one line: a
 * name that leads elsewhere the next time is judged anew. Redirects are not followed, and no proxy of the environment is used.
 */
@Injectable()
export class TargetClient {
  constructor(
    private readonly addresses: TargetAddresses,
    private readonly options: WebhooksOptions,
  ) {}

  /**
   * @param line the connection of the calls before, where it is still there
   * @param stop ends the call
   * @throws TargetFault where there is no answer within the time that calls have
   */
  async post(target: string, sent: Sent, line: TargetLine, stop: AbortSignal): Promise<TargetAnswer> {
    const url = new URL(target);
    this.assertStillAllowed(url);
    const { requestTimeout } = this.options.limits;
    // Not `AbortSignal.any`, whose signal Node may collect while somebody listens to it.
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
      // Whatever of it is still looked up as well.
      ending.abort(OVER);
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
    }
  }

  /**
   * What was allowed when the webhook was made may be so no longer.
   * @throws TargetFault
   */
  private assertStillAllowed(url: URL): void {
    const { allowHttp, allowedPorts } = this.options.limits;
    if (url.protocol === 'http:' && !allowHttp) throw new TargetFault('blocked', 'http:// is no longer allowed');
    const port = portOf(url);
    if (allowedPorts.length > 0 && !allowedPorts.includes(port))
      throw new TargetFault('blocked', `port ${port} is no longer allowed`);
    // An IP address needs no look-up.
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

/** One for all: a reason of its own would note the stack of each call. */
const OVER = new TargetFault('failed', 'the call is over');

/** What a tenant is told of a failure: its code, or that of the first address that was tried. */
function wordsOf(error: unknown): string {
  const [first] = listOf(fieldOf(error, 'errors'));
  const code = textOf(fieldOf(first ?? error, 'code'));
  return code === null ? 'the connection failed' : `the connection failed: ${code}`;
}
