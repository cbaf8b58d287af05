import { hash } from 'node:crypto';
import { Controller, Get, NotFoundException, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../auth/access.decorators.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import type { ApiRequest } from '../../http/request.js';
import { sendInPieces } from '../../http/server/response-pieces.js';
import { type BuiltFile, BuiltFiles } from './built-files.js';

const ROOT = '/console/';
const PAGE = 'index.html';
/** Files below have a content hash in their names. */
const ASSETS = 'assets/';
const ISSUER = 'oidc/';

/** Every path below /console without a file is a screen of the page. */
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

/** Content security policy: own resources only, no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
];

const UNUSED_FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'display-capture'];

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': POLICY.join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
};
