import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Response } from 'express';
import { errorBody } from '../errors/error-answer.js';
import { httpRefusalOf } from '../errors/error-table.js';
import { HttpError } from '../errors/http-error.js';
import { newRequestId } from '../request-headers.middleware.js';
import type { ApiRequest } from '../request.js';

/** A name, an address or nothing, with or without a port. `Location` and links are built from it. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]*)(?::\d{0,5})?$/i;

/**
 * Refuses requests that Node's parser accepts and RFC 9112 does not: with a Host that is missing, repeated or not a host
 * (§3.2), or with a transfer coding other than chunked (§6.1). The connection is closed.
 */
export function refuseMalformed(request: ApiRequest, response: Response, next: NextFunction): void {
  if (refusedSockets.has(request.socket)) return;
  const problem = problemOf(request);
  if (problem === null) return next();
  refusedSockets.add(request.socket);
  response.setHeader('Connection', 'close');
  next(new HttpError('bad_request', problem));
}

/** What follows a refused request may be a part of it, so it is not answered. */
const refusedSockets = new WeakSet<Duplex>();

function problemOf({ headers, headersDistinct, httpVersion }: ApiRequest): string | null {
  const [host, ...others] = headersDistinct.host ?? [];
  if ((host === undefined && httpVersion !== '1.0') || others.length > 0) return 'Send the Host header once.';
  if (host !== undefined && !HOST.test(host)) return 'The Host header names no host.';
  if (!/^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '')) return 'The only transfer coding is chunked.';
  return null;
}

/** Refusals for the error codes of Node's parser; every other code is `NOT_HTTP`. */
const PARSER_REFUSALS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('headers_too_large', 'The headers are longer than 16 KiB; send shorter ones.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError('payload_too_large', 'The chunk extensions are too long; send none.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('request_timeout', 'The request did not arrive in time; send it again.'),
};
const NOT_HTTP = new HttpError('bad_request', 'This is not a well-formed HTTP/1.1 request.');

/** Answers what Node's parser refuses with our error body and a request id (behaviour 1.6, 2.1), and closes the connection. */
export function answerMalformed(server: Server): void {
  const isAnswering = trackAnswers(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy();
    socket.end(answerTo(PARSER_REFUSALS[error.code ?? ''] ?? NOT_HTTP), () => socket.destroy());
  });
}

/**
 * Returns whether a connection still has an answer to an earlier request under way. The client would take what is
 * written now for that answer, or for a part of it.
 */
function trackAnswers(server: Server): (socket: Duplex) => boolean {
  const answers = new WeakMap<Duplex, readonly ServerResponse[]>();
  // A response is destroyed when it closes, whether or not all of it was sent.
  const openAnswers = (socket: Duplex): readonly ServerResponse[] =>
    (answers.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  server.prependListener('request', ({ socket }, response) => {
    answers.set(socket, [...openAnswers(socket), response]);
  });
  return (socket) => openAnswers(socket).some(({ headersSent, req }) => headersSent || req.complete);
}

/** A whole HTTP/1.1 message. */
function answerTo(error: HttpError): string {
  const refusal = httpRefusalOf(error);
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(refusal, requestId));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    `X-OpenStack-Request-ID: ${requestId}`,
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
