import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CryptoKey, EncryptJWT, exportSPKI, importJWK } from 'jose';
import { answerOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { type IssuerKey, newKey, OidcIssuer } from '../support/oidc-issuer.js';
import { startTestService, type TestService } from '../support/service.js';

const DENIED = { status: 401, type: 'access_denied' };

let issuer: OidcIssuer;
let service: TestService;
let stranger: IssuerKey;
beforeAll(async () => {
  issuer = await OidcIssuer.start('RS256', 'ES256');
  service = await startTestService({
    ...issuer.settings,
    JWT__CLOCK_SKEW: '5',
    // Enables lookups of unknown keys: the URLs that they name must have no effect.
    JWT__KEYS_COOLDOWN: '1',
  });
  stranger = await newKey('RS256');
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const list = (token: string) => service.plain('get', '/v1/domains').set('Authorization', `Bearer ${token}`);

async function expectDenied(token: string): Promise<void> {
  expectRefusal(await list(token), DENIED);
  const inVersion2 = await service.plain('get', '/v2/zones').set('X-Auth-Token', token);
  expectStatus(inVersion2, 401);
}

const base64 = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const seconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow;

/** The claims of an accepted token. */
async function claimsInBase64(claims: object = {}): Promise<string> {
  return (await issuer.sign({ ...claims })).split('.')[1]!;
}

/** A token whose header and claims are exactly this text, with the signature of the issuer. */
async function signedText(header: string, claims: string): Promise<string> {
  const { privateKey } = issuer.key;
  const input = `${base64(header)}.${base64(claims)}`;
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

describe('14.3 forged tokens (attack case 51)', () => {
  it('14.3 accepts the unmodified originals', async () => {
    await answerOf(list(await issuer.sign()));
    const { kid } = issuer.key;
    const claims = JSON.parse(Buffer.from(await claimsInBase64(), 'base64url').toString()) as object;
    await answerOf(list(await signedText(JSON.stringify({ alg: 'RS256', kid }), JSON.stringify(claims))));
  });

  it.each(['none', 'None', 'NONE', 'nOnE', ''])('14.3 without a signature, alg %j, are refused', async (alg) => {
    const input = `${base64({ alg, kid: issuer.key.kid })}.${await claimsInBase64({ roles: ['admin'] })}`;
    for (const signature of ['', 'AAAA', base64('x'.repeat(256))]) await expectDenied(`${input}.${signature}`);
    await expectDenied(input);
  });

  it('14.3 signed as HS256 with the public key are refused, however it is written', async () => {
    const { publicJwk, kid } = issuer.key;
    const pem = await exportSPKI((await importJWK(publicJwk, 'RS256')) as CryptoKey);
    const secrets = [
      pem,
      pem.trim(),
      JSON.stringify(publicJwk),
      publicJwk.n!,
      Buffer.from(publicJwk.n!, 'base64url'),
      '',
    ];
    for (const alg of ['HS256', 'hs256', 'RS256'])
      for (const secret of secrets) {
        const input = `${base64({ alg, kid })}.${await claimsInBase64()}`;
        await expectDenied(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
      }
  });

  it('14.3 of an algorithm that the configuration does not name are refused, though the key fits', async () => {
    const { privateJwk, kid } = issuer.key;
    const privateKey = (await importJWK({ ...privateJwk, alg: 'PS256' }, 'PS256')) as CryptoKey;
    await expectDenied(await issuer.sign({}, { alg: 'PS256', kid }, { ...issuer.key, alg: 'PS256', privateKey }));
  });

  it('14.3 signed by another key under the id of a good one are refused', async () => {
    await expectDenied(await issuer.sign({}, { kid: issuer.key.kid }, stranger));
    await expectDenied(await issuer.sign({}, { kid: undefined }, stranger));
  });

  it('14.3 whose claims, header or signature were changed are refused', async () => {
    const [header, claims, signature] = (await issuer.sign()).split('.') as [string, string, string];
    await expectDenied(`${header}.${await claimsInBase64({ roles: ['admin'] })}.${signature}`);
    await expectDenied(`${base64({ alg: 'RS256', kid: issuer.key.kid, typ: 'JWT' })}.${claims}.${signature}`);
    await expectDenied(`${header}.${claims}.${signature.slice(4)}`);
    await expectDenied(`${header}.${claims}.${'A'.repeat(signature.length)}`);
    await expectDenied(`${header}.${claims}.${signature}.${signature}`);
  });

  it.each([
    ['a path', '../../../../dev/null'],
    ['a file', '/etc/hostname'],
    ['a URL', 'http://127.0.0.1:1/keys'],
    ['SQL', "x' UNION SELECT 'key' --"],
    ['a command', '|/usr/bin/id'],
    ['a name that every object has', '__proto__'],
    ['another such name', 'constructor'],
    ['a NUL', 'a\0b'],
    ['a line', 'a\r\nX-Injected: 1'],
    ['nothing', ''],
    ['much', 'k'.repeat(3000)],
  ])('14.3 whose kid is %s are refused', async (_, kid) => {
    await expectDenied(await issuer.sign({}, { kid }, stranger));
    // Also with the content that such a file or row would have: the empty text.
    const input = `${base64({ alg: 'HS256', kid })}.${await claimsInBase64()}`;
    await expectDenied(`${input}.${createHmac('sha256', '').update(input).digest('base64url')}`);
  });

  it.each([7, null, true, [], {}])('14.3 whose kid is no text are refused or as without one: %j', async (kid) => {
    const text = JSON.stringify({ alg: 'RS256', kid });
    await expectDenied(`${base64(text)}.${await claimsInBase64()}.${base64('x'.repeat(256))}`);
  });

  it('14.3 that bring or name their own key are refused without a request for that key', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(JSON.stringify({ keys: [stranger.publicJwk] }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    try {
      const headers: object[] = [
        { jku: url },
        { x5u: url },
        { jwk: stranger.publicJwk },
        { jwk: stranger.publicJwk, kid: undefined },
        { jku: url, kid: issuer.key.kid },
        { x5c: ['MIIB'], x5t: 'AAAA' },
        { kid: url, jku: url, x5u: url },
      ];
      for (const header of headers) await expectDenied(await issuer.sign({}, header, stranger));
      // A good token may have them, and they mean nothing.
      await answerOf(list(await issuer.sign({}, { jku: url, x5u: url, jwk: stranger.publicJwk })));
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('14.3 with extensions that must be understood, or without base64, are refused', async () => {
    const claims = Buffer.from(await claimsInBase64(), 'base64url').toString();
    const common = { alg: 'RS256', kid: issuer.key.kid };
    await answerOf(list(await signedText(JSON.stringify({ ...common, x: 1 }), claims)));
    for (const extension of [
      { crit: ['x'], x: 1 },
      { crit: ['exp'], exp: 1 },
      { crit: [] },
      { crit: ['b64'], b64: false },
    ])
      await expectDenied(await signedText(JSON.stringify({ ...common, ...extension }), claims));
  });

  it('14.3 that are encrypted are refused', async () => {
    const secret = new Uint8Array(32);
    const token = new EncryptJWT({ tenant_id: 'demo', roles: ['admin'] }).setProtectedHeader({
      alg: 'dir',
      enc: 'A256GCM',
    });
    await expectDenied(
      await token.setIssuer(issuer.url).setAudience(issuer.audience).setExpirationTime('1h').encrypt(secret),
    );
  });
});

describe('14.3 tokens that are for others, or for another time', () => {
  const REFUSED: readonly [what: string, claims: () => object][] = [
    ['has expired', () => ({ exp: seconds(-6) })],
    ['says not when it expires', () => ({ exp: undefined })],
    ['expires at no time', () => ({ exp: 'tomorrow' })],
    ['expires at no number', () => ({ exp: String(seconds(60)) })],
    ['is not valid yet', () => ({ nbf: seconds(60) })],
    ['is valid from no time', () => ({ nbf: 'now' })],
    ['is of another issuer', () => ({ iss: 'https://issuer.example.org' })],
    ['is of the issuer with a slash', () => ({ iss: `${issuer.url}/` })],
    ['is of the issuer in capitals', () => ({ iss: issuer.url.toUpperCase() })],
    ['is of a list of issuers', () => ({ iss: [issuer.url] })],
    ['has no issuer', () => ({ iss: undefined })],
    ['is for another service', () => ({ aud: 'https://other.example.org' })],
    ['is for several other services', () => ({ aud: ['https://other.example.org', `${issuer.audience}/`] })],
    ['has no audience', () => ({ aud: undefined })],
    ['is for an empty list', () => ({ aud: [] })],
    ['has a non-text audience', () => ({ aud: { [issuer.audience]: true } })],
  ];
  it.each(REFUSED)('14.3 a token is refused that %s', async (_, claims) => {
    await expectDenied(await issuer.sign(claims()));
  });

  const ACCEPTED: readonly [what: string, claims: () => object][] = [
    ['expired within the clock skew', () => ({ exp: seconds(-1) })],
    ['begins within the clock skew', () => ({ nbf: seconds(3) })],
    ['is valid already', () => ({ nbf: seconds(-60) })],
    ['is for this service and another', () => ({ aud: ['https://other.example.org', issuer.audience] })],
  ];
  it.each(ACCEPTED)('14.3 a token is accepted that %s', async (_, claims) => {
    await answerOf(list(await issuer.sign(claims())));
  });

  it.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'application/logout+jwt', 'JOSE', ''])(
    '14.3 a token of another type is refused: %j',
    async (typ) => {
      await expectDenied(await issuer.sign({}, { typ }));
    },
  );

  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', undefined])(
    '14.3 a token of such a type is accepted: %s',
    async (typ) => {
      await answerOf(list(await issuer.sign({}, { typ })));
    },
  );

  it('14.3 token_types can ask for access tokens alone', async () => {
    const strict = await startTestService({ ...issuer.settings, JWT__TOKEN_TYPES: 'at+jwt' });
    try {
      const ask = (token: string) => strict.plain('get', '/v1/domains').set('X-Auth-Token', token);
      await answerOf(ask(await issuer.tokenOf('demo')));
      for (const typ of ['JWT', undefined]) await refusalOf(ask(await issuer.sign({}, { typ })), 401, 'access_denied');
    } finally {
      await strict.stop();
    }
  });
});

describe('14.3 tokens that are strange', () => {
  it('14.3 of a claim that is there twice, the last one counts, as RFC 7519 has it', async () => {
    const { kid } = issuer.key;
    const header = JSON.stringify({ alg: 'RS256', kid });
    const common = `"iss":"${issuer.url}","aud":"${issuer.audience}","exp":${seconds(60)},"tenant_id":"demo"`;
    const roles = (first: string, last: string) => `{${common},"roles":["${first}"],"roles":["${last}"]}`;
    const quotas = (token: string) => service.plain('get', '/metrics').set('X-Auth-Token', token);
    expectStatus(await quotas(await signedText(header, roles('admin', 'member'))), 401);
    expectStatus(await quotas(await signedText(header, roles('member', 'admin'))), 200);
    await expectDenied(await signedText(header, `{${common},"roles":["admin"],"exp":1}`));
    await expectDenied(await signedText(`{"alg":"RS256","kid":"${kid}","alg":"none"}`, roles('admin', 'admin')));
  });

  it('14.3 that are too long are refused before they are read', async () => {
    const long = await issuer.sign({ x: 'x'.repeat(8192) });
    await expectDenied(long);
    const answer = await list(`${'A'.repeat(65_536)}.${'A'.repeat(65_536)}.AAAA`).catch(() => null);
    // Node ends a request whose head is so large.
    if (answer !== null) expect([401, 431]).toContain(answer.status);
    await answerOf(list(await issuer.sign({ x: 'x'.repeat(4000) })));
  });

  it('14.3 that are malformed are 401 in every form', async () => {
    await answerOf(list(await issuer.sign()));
    const parts = fc.oneof(
      fc.base64String().map((text) => text.replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')),
      fc.json().map(base64),
      fc
        .record({ alg: fc.constantFrom('RS256', 'ES256', 'none', 7), kid: fc.jsonValue(), typ: fc.jsonValue() })
        .map(base64),
    );
    await fc.assert(
      fc.asyncProperty(parts, parts, parts, async (header, claims, signature) => {
        expectStatus(await list(`${header}.${claims}.${signature}`), 401);
      }),
      { numRuns: 60 },
    );
  });

  it('14.3 with claims of all forms are 401, 403 or let in, and never an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (tenant, roles) => {
        const token = await issuer.sign({ tenant_id: tenant, roles });
        fc.pre(token.length <= 4096);
        const { status } = await service.plain('get', '/v2/zones').set('X-Auth-Token', token);
        expect([200, 403]).toContain(status);
      }),
      { numRuns: 40 },
    );
  });
});
