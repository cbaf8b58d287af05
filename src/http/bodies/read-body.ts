import { HttpError } from '../errors/http-error.js';
import type { ApiRequest } from '../request.js';

/**
 * The octets of a body. One that is too long is refused as soon as that is known; nothing of it is kept, and its end
 * is not waited for. A client that asks before it sends is told to go on.
 */
export function readBody(request: ApiRequest, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(cutShort());
    if (Number(request.headers['content-length'] ?? 0) > limit) return reject(tooLong(limit));
    if (request.headers.expect?.toLowerCase() === '100-continue') request.res?.writeContinue();
    const chunks: Buffer[] = [];
    let length = 0;
    const keep = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) return void chunks.push(chunk);
      chunks.length = 0;
      request.off('data', keep);
      reject(tooLong(limit));
    };
    request.on('data', keep);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => {
      if (!request.complete) reject(cutShort());
    });
  });
}

function tooLong(limit: number): HttpError {
  return new HttpError('payload_too_large', `The body is longer than ${limit} octets; send a shorter one.`);
}

function cutShort(): HttpError {
  return new HttpError('bad_request', 'The body ended before its announced length.');
}
