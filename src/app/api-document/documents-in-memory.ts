import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Request, RequestHandler, Response, Express } from 'express';
import { sendInPieces } from '../../http/server/response-pieces.js';
import type { INestApplication } from '@nestjs/common';

const MADE = /^\/(?:docs(?:\/|\/index\.html|\/swagger-ui-init\.js)?|openapi(?:-v2)?\.(?:json|yaml))$/;
/** Without source maps: only debuggers need those. */
const FILE = /^\/docs\/([a-z0-9-]+\.(?:js|css|png))$/;

interface Document {
  readonly octets: Buffer;
  readonly type: string;
  readonly etag: string;
  readonly caching: string;
}

/**
 * Serves public documents from memory, so that a slow reader holds neither a descriptor nor a copy. Handles GET and
 * HEAD only. Later handlers generate the documents, once.
 */
function documentsInMemory(): RequestHandler {
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

async function fileAt(path: string): Promise<Document | null> {
  const [, name] = FILE.exec(path) ?? [];
  if (name === undefined || MADE.test(path)) return null;
  try {
    // A dependency of @nestjs/swagger: npm may install it anywhere.
    const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger');
    const directory = dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
    return documentOf(await readFile(join(directory, name)), name, 'public, max-age=3600');
  } catch {
    return null;
  }
}

/** Complete, successful answers only. */
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

/** @param type a media type, or a file name that tells it */
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

/** Methods other than GET get 405. */
const ROUTES = ['/docs', '/docs/index.html', '/docs/swagger-ui-init.js', '/openapi.json', '/openapi.yaml'];
const ROUTES_OF_VERSION_2 = ['/openapi-v2.json', '/openapi-v2.yaml'];

/** The generator is loaded at the first request. */
export function serveApiDocuments(app: INestApplication, hasVersion2: boolean): void {
  let handler: Promise<RequestHandler> | null = null;
  const load = async (): Promise<RequestHandler> => {
    const { apiDocumentHandler } = await import('./api-document.js');
    return apiDocumentHandler(app, hasVersion2);
  };
  const serve: RequestHandler = async (request, response, next) => {
    const handle = await (handler ??= load());
    await handle(request, response, next);
  };
  const express = app.getHttpAdapter().getInstance() as Express;
  const fromMemory = documentsInMemory();
  express.get(hasVersion2 ? [...ROUTES, ...ROUTES_OF_VERSION_2] : ROUTES, fromMemory, serve);
  express.use(forFiles(fromMemory), forFiles(serve));
}

function forFiles(handle: RequestHandler): RequestHandler {
  return (request, response, next) => (isForFile(request) ? handle(request, response, next) : next());
}

function isForFile({ method, path }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/docs\//i.test(path);
}
