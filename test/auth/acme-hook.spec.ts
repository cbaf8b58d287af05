import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { acmeRestrictions } from '../../src/auth/scopes/acme.js';
import { refusalOf } from '../support/answers.js';
import { newDomain, TestDomain } from '../support/domain.js';
import { itWith } from '../support/run-program.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

const HOOK = resolve('examples/acme-dns01/zonewright-hook.sh');
const itWithCurl = itWith({ name: 'curl', needs: { curl: 'curl', sh: 'dash' } });
const ONE = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0';
const OTHER = 'Jo-_V8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0LoqX';

interface Ended {
  readonly code: number;
  readonly output: string;
}

describe('14.2 examples/acme-dns01', () => {
  let service: TokenService;
  let domain: TestDomain;
  let token: TokenClient;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-hook-'));
    service = await startTokenService();
  });
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });
  beforeEach(async () => {
    const wide = await service.newToken();
    await newDomain(wide);
    domain = await newDomain(wide);
    token = await service.newToken({ restrictions: acmeRestrictions([domain.name, `*.${domain.name.slice(0, -1)}`]) });
  });

  async function hook(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const file = join(directory, 'token');
    await writeFile(file, `${token.token}\n`);
    const settings = { PATH: process.env.PATH, ZONEWRIGHT_URL: service.url, ZONEWRIGHT_TOKEN_FILE: file, ...env };
    return new Promise((end) => {
      execFile('sh', [HOOK, ...args], { env: settings, timeout: 30_000 }, (error, stdout, stderr) =>
        end({ code: error === null ? 0 : 1, output: stdout + stderr }),
      );
    });
  }
  const certbot = (action: string, value: string, of = domain.name.slice(0, -1)) =>
    hook([action], { CERTBOT_DOMAIN: of, CERTBOT_VALIDATION: value });
  const values = async () => (await domain.records()).map(({ name, data }) => [name, data]);
  const challenge = () => domain.at('_acme-challenge');
  const DONE = { code: 0, output: '' };

  itWithCurl('14.2 (attack case 115) certbot proves a name and its wildcard, and leaves nothing', async () => {
    expect(await certbot('auth', ONE)).toEqual(DONE);
    expect(await certbot('auth', OTHER)).toEqual(DONE);
    expect(await values()).toEqual([
      [challenge(), ONE],
      [challenge(), OTHER],
    ]);
    expect(await certbot('auth', ONE)).toEqual(DONE);
    expect(await certbot('cleanup', ONE)).toEqual(DONE);
    expect(await values()).toEqual([[challenge(), OTHER]]);
    expect(await certbot('cleanup', OTHER)).toEqual(DONE);
    expect(await certbot('cleanup', OTHER)).toEqual(DONE);
    expect(await values()).toEqual([]);
  });

  itWithCurl('14.2 lego proves a name through its provider exec', async () => {
    expect(await hook(['present', challenge(), ONE])).toEqual(DONE);
    expect(await values()).toEqual([[challenge(), ONE]]);
    expect(await hook(['cleanup', challenge(), ONE])).toEqual(DONE);
    expect(await values()).toEqual([]);
  });

  itWithCurl('14.2 (attack case 56) says why it cannot, and never shows the token', async () => {
    for (const [args, words] of [
      [['present', `_acme-challenge.www.${domain.name}`, ONE], /is refused/],
      [['present', '_acme-challenge.example.com.', ONE], /no domain/],
      [['present', domain.name, ONE], /no name to prove/],
      [['present', `${challenge()}"`, ONE], /no name to prove/],
      [['present', challenge(), 'a","type":"A'], /no value/],
      [['present', challenge(), '-x&data=$(id)'], /no value/],
      [['remove', challenge(), ONE], /say auth/],
    ] as const) {
      const { code, output } = await hook(args);
      expect([code, output]).toEqual([1, expect.stringMatching(words)]);
      expect(output).not.toContain(token.token);
    }
    expect(await values()).toEqual([]);
    const { output } = await hook(['present', challenge(), ONE], { ZONEWRIGHT_URL: 'http://127.0.0.1:1' });
    expect(output).toMatch(/does not answer/);
    expect(output).not.toContain(token.token);
  });

  it('14.2 permits the token exactly the requests of the script', async () => {
    const held = new TestDomain(token, domain);
    for (const fields of [
      { name: domain.at('www'), type: 'A', data: '192.0.2.1' },
      { name: challenge(), type: 'CNAME', data: 'elsewhere.example.' },
      { name: domain.at('_acme-challenge.www'), type: 'TXT', data: ONE },
      { name: domain.name, type: 'TXT', data: 'v=spf1 -all' },
    ])
      await refusalOf(held.create(fields), 401, 'access_denied');
    const { body } = await token.call('get', '/v1/domains');
    expect(body.domains).toHaveLength(1);
  });
});
