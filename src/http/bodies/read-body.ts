import getRawBody from 'raw-body';
import { HttpError } from '../errors/http-error.js';
import type { ApiRequest } from '../request.js';

/**
 * The octets of a body. One that is longer than `limit` octets is refused as soon as that is known, and nothing of it
 * is kept. A client that asks before it sends (RFC 9110 §10.1.1) is told to go on, unless its body is too long.
 *
 * @throws HttpError `payload_too_large`, and `bad_request` for a body that ends before its announced length
 */
export async function readBody(request: ApiRequest, limit: number): Promise<Buffer> {
  const length = request.headers['content-length'] ?? null;
  const isAsking = request.headers.expect?.toLowerCase() === '100-continue';
  if (isAsking && Number(length) <= limit) request.res?.writeContinue();
  try {
    return await getRawBody(request, { length, limit });
  } catch (error) {
    // It leaves the request paused: the client could not send the rest, and so might never read its answer.
    request.resume();
    throw refusalOf(error, limit);
  }
}

function refusalOf(error: unknown, limit: number): HttpError {
  const isTooLong = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
  return isTooLong
    ? new HttpError('payload_too_large', `The body is longer than ${limit} octets; send a shorter one.`)
    : new HttpError('bad_request', 'The body ended before its announced length.');
}
