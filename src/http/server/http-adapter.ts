import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type NestApplicationOptions, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { expressMessages } from './express-messages.js';
import { answerMalformed } from './malformed-requests.js';
import { endUnreadBodies } from './unread-bodies.js';

/** In milliseconds. */
const TIMES = {
  /** A client gets so long for its headers and for its whole request: a slow one costs a socket, no more. */
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5000,
  /** An idle connection is kept longer than proxies keep theirs, so that none sends into one that is closing. */
  keepAliveTimeout: 65_000,
};

/** Nest's Express adapter, with a server that is given the settings for which Nest has no option. */
export class HttpAdapter extends ExpressAdapter {
  private forcesClose = false;

  /** Writes an object without Express, which would compute what no client of ours asks for. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const { req } = response;
    if (!isPlainObject(body) || req.method === 'HEAD' || 'if-none-match' in req.headers)
      return super.reply(response, body, statusCode);
    const text = JSON.stringify(body);
    const octets = Buffer.byteLength(text);
    response.statusCode = statusCode ?? response.statusCode;
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', octets);
    // Of pure ASCII the two encodings are the same, and one of them is a plain copy.
    return response.end(text, octets === text.length ? 'latin1' : 'utf8');
  }

  /** Honours Nest's options: with `httpsOptions` the server is one of node:https, and otherwise the same. */
  override initHttpServer(options: NestApplicationOptions = {}): void {
    // Does what the options ask of the application. The server that it makes is replaced: Node gets no settings with it.
    super.initHttpServer(options);
    const server = this.createServer(options);
    // Node would let everybody go on who asks, and refuse other expectations; `readBody` knows whom to let.
    const serve = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
    server.on('checkContinue', serve).on('checkExpectation', serve);
    answerMalformed(server);
    endUnreadBodies(server);
    this.httpServer = server;
    this.forcesClose = options.forceCloseConnections ?? false;
  }

  override close(): Promise<unknown> | undefined {
    if (this.forcesClose) this.httpServer.closeAllConnections();
    return super.close();
  }

  private createServer({ httpsOptions }: NestApplicationOptions): Server {
    const app = this.getInstance<Express>();
    // Node would refuse a missing Host without our request id; `refuseMalformed` does it instead.
    const settings = { ...expressMessages(app), requireHostHeader: false };
    return httpsOptions === undefined
      ? createHttpServer({ ...TIMES, ...settings }, app)
      : createHttpsServer({ ...TIMES, handshakeTimeout: TIMES.headersTimeout, ...httpsOptions, ...settings }, app);
  }
}

/** What a controller made to be sent as JSON, and not a stream or an error, which Nest sends in ways of their own. */
function isPlainObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
}
