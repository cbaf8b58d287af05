import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { sendInPieces } from '../../http/server/pieces.js';

/** What the application makes. */
const MADE = /^\/(?:docs(?:\/|\/index\.html|\/swagger-ui-init\.js)?|openapi(?:-v2)?\.(?:json|yaml))$/;
/** What Swagger UI brings. Source maps are not among it: nothing but a debugger asks for them. */
const FILE = /^\/docs\/([a-z0-9-]+\.(?:js|css|png))$/;

interface Document {
  readonly octets: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly caching: string;
}

/**
 * Answers for the API document and for Swagger UI from memory: everybody may ask for them, and an answer that somebody
 * reads slowly holds neither a descriptor nor a copy. What the application makes is kept when it is asked for first; the
 * handlers that come after this one make it.
 * @returns what answers GET and HEAD, and is asked for nothing else
 */
export function documentsInMemory(): RequestHandler {
  const kept = new Map<string, Document>();
  return async (request, response, next) => {
    const path = request.path.toLowerCase();
    const isOurs = MADE.test(path) || FILE.test(path);
    const document = isOurs ? (kept.get(path) ?? (await fileAt(path))) : null;
    if (document !== null) {
      kept.set(path, document);
      answer(request, response, document);
      return;
    }
    if (isOurs) keepWhatIsSent(request, response, (made) => kept.set(path, made));
    next();
  };
}

/** `null` where Swagger UI has no such file. */
async function fileAt(path: string): Promise<Document | null> {
  const [, name] = FILE.exec(path) ?? [];
  if (name === undefined || MADE.test(path)) return null;
  try {
    // It belongs to @nestjs/swagger, wherever npm has put it.
    const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger');
    const directory = dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
    return documentOf(await readFile(join(directory, name)), name, 'public, max-age=3600');
  } catch {
    return null;
  }
}

/** Only what is sent whole and with success. */
function keepWhatIsSent(request: Request, response: Response, keep: (document: Document) => void): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) => {
    response.send = send;
    const type = response.getHeader('Content-Type');
    if (response.statusCode !== 200 || typeof body !== 'string' || typeof type !== 'string') return send(body);
    const document = documentOf(Buffer.from(body), type, 'no-cache');
    keep(document);
    return answer(request, response, document);
  };
}

/** @param type a media type, or a file's name that tells it */
function documentOf(octets: Buffer, type: string, caching: string): Document {
  const etag = `"${createHash('sha256').update(octets).digest('base64url')}"`;
  return { octets, type, etag, caching };
}

function answer(request: Request, response: Response, { octets, type, etag, caching }: Document): Response {
  response.set({ ETag: etag, 'Cache-Control': caching }).type(type);
  if (request.fresh) return response.status(304).end();
  response.setHeader('Content-Length', octets.length);
  if (request.method === 'HEAD') return response.end();
  sendInPieces(response, octets);
  return response;
}
