import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { StreamableFile } from '@nestjs/common';
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

const CONDITION = 'if-none-match';

/** Nest's Express adapter on a server of our own making: Nest hands no options on to node:http. */
export class HttpAdapter extends ExpressAdapter {
  /** Objects go out as they are: of what Express does for an answer, we serve only conditional requests. */
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const { req } = response;
    if (!isPlainObject(body) || req.method === 'HEAD' || CONDITION in req.headers)
      return super.reply(response, body, statusCode);
    const text = JSON.stringify(body);
    const octets = Buffer.byteLength(text);
    response.statusCode = statusCode ?? response.statusCode;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', octets);
    // Of pure ASCII the two encodings are the same, and one of them is a plain copy.
    return response.end(text, octets === text.length ? 'latin1' : 'utf8');
  }

  override initHttpServer(): void {
    const app = this.getInstance<Express>();
    // Node would refuse a missing Host without our request id; `refuseMalformed` does it instead.
    const server = createServer({ ...TIMES, ...expressMessages(app), requireHostHeader: false }, app);
    // Node would let everybody go on who asks, and refuse other expectations; `readBody` knows whom to let.
    const serve = (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response);
    server.on('checkContinue', serve).on('checkExpectation', serve);
    answerMalformed(server);
    endUnreadBodies(server);
    this.httpServer = server;
  }
}

/** What a controller made to be sent as JSON, and not a stream or an error, which Nest sends in ways of their own. */
function isPlainObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile) && !(body instanceof Error);
}
