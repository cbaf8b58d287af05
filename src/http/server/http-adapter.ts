import {
  createServer as createHttpServer,
  IncomingMessage,
  type Server,
  ServerResponse,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type NestApplicationOptions, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express/adapters/express-adapter.js';
import type { Express, Request, Response } from 'express';
import { adoptProxyHeaders } from '../proxies/proxy-headers.js';
import { CustomResponse } from '../custom-responses.js';
import { answerMalformed, replaceImpossibleTargets } from './malformed-requests.js';
import { isLongJson, jsonStreamOf, PIECE, sendInPieces, sendStream } from './response-pieces.js';
import { type RequestBounds, RequestTurns } from './request-turns.js';
import type { Socket } from 'node:net';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { clientOfAddress } from '../../common/network/network.js';
import { ConnectionsByClient } from '../../common/network/connections-by-client.js';
import { Server as TlsServer } from 'node:tls';

// The index of the package also loads code for uploads.

/** Milliseconds. */
const TIMEOUTS = {
  /** From the first octet of a request to the end of its headers and of its body (behaviour 1.9). */
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  /** Longer than the usual 60 s of proxies, so that none sends a request into a closing connection. */
  keepAliveTimeout: 65_000,
};

/** Nest's Express adapter, with server settings for which Nest has no option. */
export class HttpAdapter extends ExpressAdapter {
  readonly turns: RequestTurns;
  private readonly connections: HttpConnections;
  private forcesClose = false;

  /** @param trustsProxies whether proxy headers may name the client (`trust proxy` of Express) */
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
    // Express compiles `trust proxy` to a function of an address and its hop count.
    const isTrusted = this.getInstance<Express>().get('trust proxy fn') as (address: string, hop: number) => boolean;
    return isTrusted(address, 0);
  }

  /** Writes objects itself: Express adds only conditional requests (ADR 6). */
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
    // Both encodings of ASCII are equal, and latin1 is a plain copy.
    return response.end(text, octets === text.length ? 'latin1' : 'utf8');
  }

  override initHttpServer(options: NestApplicationOptions = {}): void {
    // Applies the options to the application. The next lines replace its server, which lacks our settings.
    super.initHttpServer(options);
    const server = this.createServer(options);
    // Node would answer `100 Continue` before the guards and refuse other expectations. `readBody` answers after them.
    const serve = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
    server.on('checkContinue', serve).on('checkExpectation', serve);
    // Unlimited, so that `refuseMalformed` can count: Node would silently drop headers after the thousandth.
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
    // A worker's server does not listen, so it would not wait for connections that it was handed.
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
    // Node would refuse a missing Host without our request id. `refuseMalformed` does it instead.
    const settings = { ...expressMessages(app), requireHostHeader: false };
    return httpsOptions === undefined
      ? createHttpServer({ ...TIMEOUTS, ...settings }, listener)
      : createHttpsServer(
          { ...TIMEOUTS, handshakeTimeout: TIMEOUTS.headersTimeout, ...httpsOptions, ...settings },
          listener,
        );
  }
}

/** Whether to send a result as JSON. Nest treats streams and errors differently. */
function isPlainObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
}

/**
 * Classes with the prototypes of Express. Otherwise Express sets the prototype of each object, which V8 then treats as
 * a dictionary: two thirds of the cost of a request (ADR 6).
 */
function expressMessages(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

/** Milliseconds. */
const SHUT_OUT_FOR = 5000;

/** Above the bound, the client with most connections loses one, so that no client can lock others out. */
class HttpConnections {
  private readonly open = new ConnectionsByClient<Socket>();
  private readonly shutOutUntil = new Map<string, number>();
  private readonly waiting: (() => void)[] = [];
  private readonly tooMany = new ThrottledLogger();
  private readonly tooFast = new ThrottledLogger();

  /** @param isBusy idle connections close first @param isProxy whether many clients share the address */
  constructor(
    private readonly bound: number,
    private readonly isBusy: (socket: Socket) => boolean,
    private readonly isProxy: (address: string) => boolean,
  ) {}

  watch(server: Server): void {
    // For node:https, this is the connection below TLS, which has the descriptor.
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  ended(): Promise<void> {
    if (this.open.count === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /**
   * Closes idle connections of the client and accepts none for five seconds: reading many pipelined connections would
   * cost most of the work. A trusted proxy loses only the one connection.
   */
  shutOut({ remoteAddress = '' }: Socket): void {
    this.tooFast.warn(`too many requests wait on a connection of ${remoteAddress}; it is closed`);
    if (this.isProxy(remoteAddress)) return;
    const now = performance.now();
    for (const [client, until] of this.shutOutUntil) if (until < now) this.shutOutUntil.delete(client);
    const client = clientOfAddress(remoteAddress);
    this.shutOutUntil.set(client, now + SHUT_OUT_FOR);
    for (const socket of this.open.of(client)) if (!this.isBusy(socket)) socket.destroy();
  }

  private add(socket: Socket): void {
    const client = clientOfAddress(socket.remoteAddress ?? '');
    if ((this.shutOutUntil.get(client) ?? -Infinity) > performance.now()) return void socket.destroy();
    this.open.add(client, socket);
    socket.once('close', () => this.remove(client, socket));
    if (this.open.count > this.bound) this.closeOne(socket);
  }

  private remove(client: string, socket: Socket): void {
    this.open.remove(client, socket);
    if (this.open.count === 0) for (const resolve of this.waiting.splice(0)) resolve();
  }

  private closeOne(newest: Socket): void {
    const [client, sockets] = this.open.largest();
    this.tooMany.warn(
      `there are ${this.bound} connections, ${sockets.size} of them from ${client}; one of these is closed`,
    );
    const idle = [...sockets].find((socket) => socket !== newest && !this.isBusy(socket));
    const [oldest] = sockets;
    const closed = idle ?? (sockets.has(newest) ? newest : oldest);
    closed?.destroy();
    // Also here, because more connections may arrive before the end is announced.
    if (closed !== undefined) this.remove(client, closed);
  }
}

/** Minimum average octets per second. */
const LEAST_RATE = 4096;
/** Checks of all connections within the time limit. */
const LOOKS = 3;

interface Mark {
  readonly at: number;
  readonly taken: number;
}

/** Closes connections with a waiting answer that the client reads too slowly or not at all (behaviour 1.9). */
function endUnreadAnswers(server: Server, seconds: number): void {
  const marks = new Map<Socket, Mark | null>();
  const warning = new ThrottledLogger();
  const look = (): void => {
    for (const [socket, mark] of marks) {
      const waits = socket.writableLength > 0;
      if (!waits) marks.set(socket, null);
      else if (mark === null || hasGotOn(socket, mark, seconds)) marks.set(socket, markOf(socket));
      else if (performance.now() - mark.at >= seconds * 1000) {
        warning.warn(`${String(socket.remoteAddress)} reads its answers too slowly; its connection is closed`);
        socket.destroy();
      }
    }
  };
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    marks.set(socket, null);
    socket.once('close', () => marks.delete(socket));
  });
  server.once('listening', () => {
    const timer = setInterval(look, (seconds * 1000) / LOOKS).unref();
    server.once('close', () => clearInterval(timer));
  });
}

function hasGotOn(socket: Socket, mark: Mark, seconds: number): boolean {
  return markOf(socket).taken - mark.taken >= LEAST_RATE * seconds;
}

function markOf(socket: Socket): Mark {
  // Excludes octets that the kernel has not yet taken.
  return { at: performance.now(), taken: socket.bytesWritten - socket.writableLength };
}

/** Time to send the rest of a body after the answer. It is discarded. */
const LINGERING_TIMEOUT_MS = 1000;

/** Closes connections whose client still sends an unread body, so that 10 GB after a 401 cost nothing. */
function endUnreadBodies(server: Server): void {
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (length === undefined && coding === undefined) return;
    response.once('finish', () => {
      if (!request.complete)
        setTimeout(() => !request.complete && request.socket.destroy(), LINGERING_TIMEOUT_MS).unref();
    });
  });
}
