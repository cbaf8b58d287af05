import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerOf, expectRefusal } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

const BUILT = join(process.cwd(), 'dist/console/assets');
const KIB = 1024;

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

  it('1.13 lets nothing run that stands in the page itself, and nobody put it into another', async () => {
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

  it('1.8, 1.13 may be kept: files with hashed names for ever, the page until it has changed', async () => {
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

  it('1.13 has no other files, and no other methods', async () => {
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

  it('1.13 is small: 190 KiB of scripts and 15 KiB of styles, compressed', () => {
    const size = (ending: string): number =>
      readdirSync(BUILT)
        .filter((name) => name.endsWith(`${ending}.br`))
        .reduce((sum, name) => sum + readFileSync(join(BUILT, name)).length, 0);
    expect(size('.js')).toBeGreaterThan(50 * KIB);
    expect(size('.js')).toBeLessThan(190 * KIB);
    expect(size('.css')).toBeLessThan(15 * KIB);
  });
});
