import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, expectRefusal } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

const BUILT = join(process.cwd(), 'dist/console/assets');
const KIB = 1024;
/** KiB of scripts with which a reader sees the zones, and the records of one. */
const ZONES = 96;
const RECORDS = 128;

type Manifest = Readonly<Record<string, { readonly file: string; readonly imports?: readonly string[] }>>;

describe('1.13 the console', () => {
  let service: TestService;
  beforeAll(async () => (service = await startTestService()));
  afterAll(() => service.stop());

  it('1.13 is served without a credential at the address of every screen', async () => {
    for (const path of ['/console', '/console/', '/console/zones', '/console/zones/example.org./records?q=%3Cb%3E']) {
      const answer = await answerOf(service.plain('get', path));
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.text).toMatch(/<noscript\s*>/);
    }
  });

  it('1.13 forbids inline scripts and framing by other sites', async () => {
    const { headers, text } = await answerOf(service.plain('get', '/console/zones'));
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|style=|https?:/);
  });

  it('1.8, 1.13 may be cached: files with hashed names forever, the page until it changes', async () => {
    const page = await answerOf(service.plain('get', '/console'));
    expect(page.headers['cache-control']).toBe('no-cache');
    const [script = ''] = /\/console\/assets\/[^"]+\.js/.exec(page.text) ?? [];
    const asset = await answerOf(service.plain('get', script).set('Accept-Encoding', 'br'));
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
    });
    const etag = page.headers.etag ?? '';
    await answerOf(service.plain('get', '/console').set('If-None-Match', etag), 304);
    await answerOf(service.plain('head', '/console'));
  });

  it('1.7, 1.13 finds its files below the prefix of a trusted proxy', async () => {
    const behind = await startTestService({ SERVICE_API__TRUSTED_PROXIES: '127.0.0.1' });
    const get = (prefix: string) =>
      answerOf(behind.plain('get', '/console/zones').set({ 'X-Forwarded-Prefix': prefix, 'Accept-Encoding': 'br' }));
    const plain = await answerOf(behind.plain('get', '/console/zones'));
    const [page, other] = [await get('/dns'), await get('/a&b')];
    await behind.stop();
    const addresses = (text: string): string[] => text.match(/(?<=(?:src|href)=")[^"]+/g) ?? [];
    expect(addresses(plain.text).length).toBeGreaterThan(3);
    expect(addresses(page.text)).toEqual(addresses(plain.text).map((address) => `/dns${address}`));
    expect(addresses(other.text)[0]).toMatch(/^\/a&amp;b\/console\//);
    expect(new Set([plain, page, other].map(({ headers }) => headers.etag)).size).toBe(3);
    expect(page.headers.vary).toContain('X-Forwarded-Prefix');
  });

  it('1.13 serves no other files and no other methods', async () => {
    for (const path of ['/console/assets/none.js', '/console/assets/..%2f..%2fpage.controller.js', '/console/assets/'])
      expectRefusal(await service.plain('get', path), { status: 404, type: 'not_found' });
    expectRefusal(await service.plain('post', '/console/zones'), { status: 405, type: 'method_not_allowed' });
  });

  it('1.13 does not exist where it is off', async () => {
    const without = await startTestService({ CONSOLE__ENABLED: 'False' });
    try {
      for (const path of ['/console', '/console/zones', '/console/session'])
        expectRefusal(await without.plain('get', path), { status: 404, type: 'not_found' });
    } finally {
      await without.stop();
    }
  });

  const manifestOf = (): Manifest =>
    JSON.parse(readFileSync(join(BUILT, '../.vite/manifest.json'), 'utf8')) as Manifest;

  /** Octets of a file and of those that it imports, as sent. */
  const sizeWithImports = (...names: string[]): number => {
    const manifest = manifestOf();
    const files = new Map<string, number>();
    const add = (name: string): void => {
      const { file, imports = [] } = manifest[name]!;
      if (files.has(file)) return;
      files.set(file, readFileSync(join(BUILT, '..', `${file}.br`)).length);
      imports.forEach(add);
    };
    names.forEach(add);
    return [...files.values()].reduce((sum, octets) => sum + octets, 0);
  };

  it('1.13 loads at most 90 KiB of scripts before the first screen, and few for the screen', () => {
    expect(sizeWithImports('index.html')).toBeLessThan(90 * KIB);
    expect(sizeWithImports('index.html', 'zones/zones-page.tsx')).toBeLessThan(ZONES * KIB);
    expect(sizeWithImports('index.html', 'zones/zone-screen.tsx', 'records/records-page.tsx')).toBeLessThan(
      RECORDS * KIB,
    );
  });

  it('22.6 does not contain the design page', () => {
    const files = readdirSync(join(BUILT, '..'), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const texts = files.filter(({ name }) => !name.endsWith('.br'));
    expect(texts.length).toBeGreaterThan(10);
    for (const { parentPath, name } of texts) {
      expect(name).not.toMatch(/design/);
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toMatch(/Design system|design-part|design\/main/);
    }
  });

  it('1.13 has no scripts that import each other: one of them would run before its imports', () => {
    const manifest = manifestOf();
    const done = new Set<string>();
    const visit = (name: string, importers: readonly string[]): void => {
      expect(importers).not.toContain(name);
      if (done.has(name)) return;
      for (const imported of manifest[name]?.imports ?? []) visit(imported, [...importers, name]);
      done.add(name);
    };
    for (const name of Object.keys(manifest)) visit(name, []);
    expect(done.size).toBeGreaterThan(20);
  });

  it('1.13 names the files of the first screen in the page', async () => {
    const { text } = await answerOf(service.plain('get', '/console/zones'));
    const preloaded = text.match(/(?<=<link rel="modulepreload"[^>]*href=")[^"]+/g) ?? [];
    expect(preloaded.length).toBeGreaterThan(0);
    for (const path of preloaded) await answerOf(service.plain('get', path));
  });

  it('1.13 is small: 280 KiB of scripts and 15 KiB of styles, compressed', () => {
    const size = (ending: string): number =>
      readdirSync(BUILT)
        .filter((name) => name.endsWith(`${ending}.br`))
        .reduce((sum, name) => sum + readFileSync(join(BUILT, name)).length, 0);
    expect(size('.js')).toBeGreaterThan(50 * KIB);
    expect(size('.js')).toBeLessThan(280 * KIB);
    expect(size('.css')).toBeLessThan(15 * KIB);
  });
});
