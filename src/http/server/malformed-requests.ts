import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { NextFunction, Response } from 'express';
import { errorBody, httpRefusalOf } from '../errors/error-table.js';
import { HttpError } from '../errors/http-error.js';
import { newRequestId, type ApiRequest } from '../request.js';

/** A name, an address or nothing, with or without a port. `Location` and links use it. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.-]*)(?::\d{0,5})?$/i;

/** Far more than clients and proxies send. With 4,000 headers a request would cost as much as ten. */
const MOST_HEADERS = 200;
/** A path or `*`. Links would turn two leading slashes into a host. */
const PATH = /^(?:\/(?![/\\])|\*$)/;

/**
 * Refuses requests that Node accepts against RFC 9112: target, Host (§3.2), transfer coding (§6.1). Also refuses two
 * Content-Types (RFC 9110 §5.3) and too many headers. Closes the connection.
 */
export function refuseMalformed(request: ApiRequest, response: Response, next: NextFunction): void {
  if (refusedSockets.has(request.socket)) return;
  const problem = problemOf(request);
  if (problem === null) return next();
  refusedSockets.add(request.socket);
  response.setHeader('Connection', 'close');
  next(problem);
}

/** Octets after a refused request may belong to it, so they get no answer. */
const refusedSockets = new WeakSet<Duplex>();

function problemOf(request: ApiRequest): HttpError | null {
  if (request.rawHeaders.length > 2 * MOST_HEADERS)
    return new HttpError('headers_too_large', `There are more than ${MOST_HEADERS} headers; send fewer.`);
  const words = wrongWith(request);
  return words === null ? null : new HttpError('bad_request', words);
}

function wrongWith(request: ApiRequest): string | null {
  const { headers, headersDistinct, httpVersion } = request;
  const [host, ...others] = headersDistinct.host ?? [];
  if (withoutTarget.has(request)) return 'The target of the request is not a URL.';
  if ((host === undefined && httpVersion !== '1.0') || others.length > 0) return 'Send the Host header once.';
  if (host !== undefined && !HOST.test(host)) return 'The Host header names no host.';
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) return 'The only transfer coding is chunked.';
  if ((headersDistinct['content-type']?.length ?? 0) > 1) return 'Send the Content-Type header once.';
  return null;
}

const withoutTarget = new WeakSet<IncomingMessage>();

/** Replaces invalid targets by `/` for `refuseMalformed`. Express would answer them before its middleware. */
export function replaceImpossibleTargets(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (isPossible(request.url ?? '')) return;
    withoutTarget.add(request);
    request.url = '/';
  });
}

function isPossible(target: string): boolean {
  return PATH.test(target) || (/^(?:https?:|\/)/i.test(target) && URL.canParse(target, 'http://localhost'));
}

/** By error code of Node's parser. Default: `NOT_HTTP`. */
const PARSER_REFUSALS: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('headers_too_large', 'The headers are longer than 16 KiB; send shorter ones.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError('payload_too_large', 'The chunk extensions are too long; send none.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('request_timeout', 'The request did not arrive in time; send it again.'),
};
const NOT_HTTP = new HttpError('bad_request', 'This is not a well-formed HTTP/1.1 request.');

/**
 * Answers parser errors with our body and a request id (behaviour 1.6, 2.1), after complete earlier requests, because
 * their changes may be stored. Closes the connection.
 */
export function answerMalformed(server: Server): void {
  const answersTo = trackAnswers(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const answer = answersTo(socket).at(-1);
    if (answer !== undefined) return closeAfter(answer, socket);
    socket.end(answerTo(PARSER_REFUSALS[error.code ?? ''] ?? NOT_HTTP), () => socket.destroy());
  });
}

/** The parser reports each further piece after the first error. */
const closing = new WeakSet<Duplex>();

function closeAfter(answer: ServerResponse, socket: Duplex): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
  answer.once('close', () => socket.end(() => socket.destroy()));
}

/** Lists the open responses of a connection. A client would read other octets as part of these. */
function trackAnswers(server: Server): (socket: Duplex) => readonly ServerResponse[] {
  const answers = new WeakMap<Duplex, readonly ServerResponse[]>();
  // Node destroys a response when it closes, even if incomplete.
  const openAnswers = (socket: Duplex): readonly ServerResponse[] =>
    (answers.get(socket) ?? []).filter(({ destroyed }) => !destroyed);
  server.prependListener('request', ({ socket }, response) => {
    // Requests behind too many others still arrive, and would be counted repeatedly.
    if (socket.destroyed) return;
    answers.set(socket, [...openAnswers(socket), response]);
  });
  return (socket) => openAnswers(socket).filter(({ headersSent, req }) => headersSent || req.complete);
}

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
