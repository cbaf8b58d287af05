import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type NestApplicationOptions, StreamableFile } from '@nestjs/common';
// Not from the package's index, which loads what reads uploads as well.
import { ExpressAdapter } from '@nestjs/platform-express/adapters/express-adapter.js';
import type { Express, Request, Response } from 'express';
import { adoptProxyHeaders } from '../proxies/proxy-headers.js';
import { CustomResponse } from '../raw-response.js';
import { HttpConnections } from './http-connections.js';
import { expressMessages } from './express-messages.js';
import { answerMalformed, replaceImpossibleTargets } from './malformed-requests.js';
import { isLongJson, jsonStreamOf } from './json-pieces.js';
import { PIECE, sendInPieces, sendStream } from './pieces.js';
import { type RequestBounds, RequestTurns } from './request-turns.js';
import { endUnreadAnswers } from './unread-answers.js';
import { endUnreadBodies } from './unread-bodies.js';

/** In milliseconds. */
const TIMEOUTS = {
  /** From the first octet of a request to the end of its headers, and to the end of its body (behaviour 1.9). */
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  /** Longer than proxies keep idle connections, usually 60 s: none sends a request into one that we are closing. */
  keepAliveTimeout: 65_000,
};

/** Nest's Express adapter, with a server that is given the settings for which Nest has no option. */
export class HttpAdapter extends ExpressAdapter {
  readonly turns: RequestTurns;
  private readonly connections: HttpConnections;
  private forcesClose = false;

  /** @param trustsProxies whether a client may be another than who has made the connection (`trust proxy` of Express) */
  constructor(
    private readonly bounds: RequestBounds,
    private readonly trustsProxies: boolean,
  ) {
    super();
    // Requests have Express's prototype before Express sees them.
    const clientOf = trustsProxies ? (request: IncomingMessage) => (request as Request).ip : null;
    this.turns = new RequestTurns(bounds, clientOf, (socket) => this.connections.shutOut(socket));
    this.connections = new HttpConnections(
      bounds.connections,
      (socket) => this.turns.isBusy(socket),
      (address) => trustsProxies && this.trusts(address),
    );
  }

  private trusts(address: string): boolean {
    // What Express makes of `trust proxy`; it is given an address and the number of hops to it.
    const isTrusted = this.getInstance<Express>().get('trust proxy fn') as (address: string, hop: number) => boolean;
    return isTrusted(address, 0);
  }

  /** Writes an object itself: what Express does beyond that serves conditional requests only (ADR 6). */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof CustomResponse) {
      body.sendTo(response);
      return undefined;
    }
    const { req } = response;
    if (!isPlainObject(body) || req.method === 'HEAD') return super.reply(response, body, statusCode);
    const isLong = isLongJson(body);
    if ('if-none-match' in req.headers && (!isLong || req.fresh)) return super.reply(response, body, statusCode);
    response.statusCode = statusCode ?? response.statusCode;
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (isLong) return sendStream(response, jsonStreamOf(body));
    const text = JSON.stringify(body);
    const octets = Buffer.byteLength(text);
    response.setHeader('Content-Length', octets);
    if (octets > PIECE) return sendInPieces(response, Buffer.from(text));
    // Of pure ASCII the two encodings are the same, and one of them is a plain copy.
    return response.end(text, octets === text.length ? 'latin1' : 'utf8');
  }

  /** Makes the server. Nest's own options are honoured: `httpsOptions` make it one of node:https. */
  override initHttpServer(options: NestApplicationOptions = {}): void {
    // Does what the options ask of the application. Its server is replaced: it was made without our settings.
    super.initHttpServer(options);
    const server = this.createServer(options);
    // Node would answer `100 Continue` before the guards, and refuse other expectations; `readBody` answers after them.
    const serve = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
    server.on('checkContinue', serve).on('checkExpectation', serve);
    // All of them, for `refuseMalformed` to count: Node would leave out what comes behind the thousandth.
    server.maxHeadersCount = 0;
    replaceImpossibleTargets(server);
    answerMalformed(server);
    endUnreadBodies(server);
    endUnreadAnswers(server, this.bounds.readTimeout);
    this.connections.watch(server);
    this.httpServer = server;
    this.forcesClose = options.forceCloseConnections ?? false;
  }

  override close(): Promise<unknown> | undefined {
    if (this.forcesClose) this.httpServer.closeAllConnections();
    // A worker's server does not listen, and would not wait for connections that it was handed.
    return Promise.all([super.close(), this.connections.ended()]);
  }

  private createServer({ httpsOptions }: NestApplicationOptions): Server {
    const app = this.getInstance<Express>();
    const scheme = httpsOptions === undefined ? 'http' : 'https';
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      if (this.trustsProxies) {
        const peer = { address: request.socket.remoteAddress ?? '', scheme } as const;
        adoptProxyHeaders(request.headers, peer, (address) => this.trusts(address));
      }
      this.turns.take(request, response, () => void app(request as Request, response as Response));
    };
    // Node would refuse a missing Host without our request id; `refuseMalformed` does it instead.
    const settings = { ...expressMessages(app), requireHostHeader: false };
    return httpsOptions === undefined
      ? createHttpServer({ ...TIMEOUTS, ...settings }, listener)
      : createHttpsServer(
          { ...TIMEOUTS, handshakeTimeout: TIMEOUTS.headersTimeout, ...httpsOptions, ...settings },
          listener,
        );
  }
}

/** Whether a controller's result is to be sent as JSON: Nest treats streams and errors differently. */
function isPlainObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
}
