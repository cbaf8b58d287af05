import { hash } from 'node:crypto';
import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorators.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import type { ApiRequest } from '../../http/request.js';
import { sendInPieces } from '../../http/server/pieces.js';
import { type BuiltFile, BuiltFiles } from './built-files.js';
import { PAGE_HEADERS } from './page-headers.js';

const ROOT = '/console/';
const PAGE = 'index.html';
/** What is below it has a name that changes with its content. */
const ASSETS = 'assets/';
/** Signing in at an issuer, which is there where one is configured. */
const ISSUER = 'oidc/';

/** Serves the page at every address of a screen, and the files that it consists of; controllers before it have theirs. */
@Public()
@Controller('console')
export class PageController {
  constructor(
    private readonly files: BuiltFiles,
    private readonly urls: AbsoluteUrl,
  ) {}

  @Get(['', '*path'])
  async show(@Req() request: ApiRequest, @Res() response: Response): Promise<void> {
    const name = request.path.slice(ROOT.length);
    const isAsset = name.startsWith(ASSETS);
    const file = await this.files.find(name);
    if (file === null && (isAsset || name.startsWith(ISSUER))) throw new NotFoundException();
    const shown = file ?? (await this.files.find(PAGE));
    if (shown === null) throw new NotFoundException();
    response.setHeader('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    send(request, response, file === null || name === PAGE ? withPrefix(shown, this.urls.prefixOf(request)) : shown);
  }
}

/** The page with the addresses of its files as a browser reaches them through a proxy. */
function withPrefix(page: BuiltFile, prefix: string): BuiltFile {
  if (prefix === '') return page;
  const addresses = `"${prefix.replaceAll('&', '&amp;')}${ROOT}`;
  const octets = Buffer.from(page.octets.toString().replaceAll(`"${ROOT}`, () => addresses));
  return { ...page, octets, compressed: null, etag: `${page.etag}-${hash('sha256', prefix, 'base64url')}` };
}

function send(request: ApiRequest, response: Response, { type, etag, octets, compressed }: BuiltFile): void {
  const isCompressed = compressed !== null && request.acceptsEncodings('br') === 'br';
  const sent = isCompressed ? compressed : octets;
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Type', type);
  response.setHeader('Vary', 'Accept-Encoding, X-Forwarded-Prefix');
  response.setHeader('ETag', isCompressed ? `"${etag}-br"` : `"${etag}"`);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (isCompressed) response.setHeader('Content-Encoding', 'br');
  response.setHeader('Content-Length', sent.length);
  if (request.method === 'HEAD') response.end();
  else sendInPieces(response, sent);
}
