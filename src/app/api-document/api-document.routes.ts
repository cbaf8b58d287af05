import type { INestApplication } from '@nestjs/common';
import type { Express, Request, RequestHandler } from 'express';
import { documentsInMemory } from './documents-in-memory.js';

/** Routes, so that other methods than GET are refused with 405. */
const ROUTES = ['/docs', '/docs/index.html', '/docs/swagger-ui-init.js', '/openapi.json', '/openapi.yaml'];
const ROUTES_OF_VERSION_2 = ['/openapi-v2.json', '/openapi-v2.yaml'];

/** Serves Swagger UI and the OpenAPI documents. What makes them is loaded at the first request for one of them. */
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

/** Swagger UI consists of files besides. */
function forFiles(handle: RequestHandler): RequestHandler {
  return (request, response, next) => (isForFile(request) ? handle(request, response, next) : next());
}

function isForFile({ method, path }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/docs\//i.test(path);
}
