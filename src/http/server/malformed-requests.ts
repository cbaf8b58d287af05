import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Response } from 'express';
import { HttpError } from '../errors/http-error.js';
import { errorBody } from '../errors/error-answer.js';
import { httpRefusalOf } from '../errors/error-table.js';
import { newRequestId } from '../request-headers.middleware.js';
import type { ApiRequest } from '../request.js';

/** A name, an address or nothing, with or without a port: all that a client's Host can add to our URLs. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]*)(?::\d{0,5})?$/i;

/**
 * Refuses what the parser lets pass and RFC 9112 does not: a Host that is missing, said twice or no host (§3.2), and
 * a coding of the body that nobody here undoes (§6.1).
 */
export function refuseMalformed(request: ApiRequest, response: Response, next: NextFunction): void {
  if (refusedSockets.has(request.socket)) return;
  const fault = faultOf(request);
  if (fault === null) return next();
  refusedSockets.add(request.socket);
  response.setHeader('Connection', 'close');
  next(new HttpError('bad_request', fault));
}

/** What follows a refused request may be a part of it: it is left unanswered until the connection has ended. */
const refusedSockets = new WeakSet<Duplex>();

function faultOf({ headers, headersDistinct, httpVersion }: ApiRequest): string | null {
  const [host, ...others] = headersDistinct.host ?? [];
  if ((host === undefined && httpVersion !== '1.0') || others.length > 0) return 'Send the Host header once.';
  if (host !== undefined && !HOST.test(host)) return 'The Host header names no host.';
  if (!/^(?:chunked)?$/i.test(headers['transfer-encoding'] ?? '')) return 'The only transfer coding is chunked.';
  return null;
}

/** The parser's refusals by their codes; every other is a request that is no HTTP. */
const PARSER_REFUSALS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('headers_too_large', 'The headers are longer than 16 KiB; send shorter ones.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError('payload_too_large', 'The chunk extensions are too long; send none.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('request_timeout', 'The request did not arrive in time; send it again.'),
};
const NO_HTTP = new HttpError('bad_request', 'This is not a well-formed HTTP/1.1 request.');

/** Answers what never becomes a request, with our own id and body (behaviour 1.6, 2.1), and ends the connection. */
export function answerMalformed(server: Server): void {
  const isAnswering = trackAnswers(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy();
    socket.end(refusal(PARSER_REFUSALS[error.code ?? ''] ?? NO_HTTP), () => socket.destroy());
  });
}

/** Whether words put on a connection now would be taken for the answer to an earlier request, or for a part of it. */
function trackAnswers(server: Server): (socket: Duplex) => boolean {
  const answers = new WeakMap<Duplex, readonly ServerResponse[]>();
  // An answer is destroyed as it closes, all of it having been sent or not.
  const unclosed = (socket: Duplex): readonly ServerResponse[] =>
    (answers.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  server.prependListener('request', ({ socket }, response) => {
    answers.set(socket, [...unclosed(socket), response]);
  });
  return (socket) => unclosed(socket).some(({ headersSent, req }) => headersSent || req.complete);
}

function refusal(error: HttpError): string {
  const refused = httpRefusalOf(error);
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody(refused, requestId));
  return [
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status] ?? ''}`,
    `X-OpenStack-Request-ID: ${requestId}`,
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
