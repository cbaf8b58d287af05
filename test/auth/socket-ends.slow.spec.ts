import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { IssuerClient } from '../../src/auth/jwt/issuer.client.js';
import type { JwtOptions } from '../../src/auth/jwt/jwt.options.js';
import { KeystoneClient } from '../../src/auth/keystone/keystone.client.js';
import type { KeystoneOptions } from '../../src/auth/keystone/keystone.options.js';
import { EndingServers, HTTP_ENDS, type SocketEnd, TLS_ENDS } from '../support/socket-ends.js';

/** In milliseconds: several times the timeout of the service. */
const LONGEST = 40_000;

const ENDS: readonly (readonly [scheme: string, end: SocketEnd])[] = [
  ...HTTP_ENDS.map((end) => ['http', end] as const),
  ...TLS_ENDS.map((end) => ['https', end] as const),
];

let servers: EndingServers;
let discovery: Server;
beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['warn', 'error']));
beforeEach(async () => {
  servers = new EndingServers();
  // An issuer for each path, whose keys are at the port that the path names.
  discovery = createServer((request, response) => {
    const [, scheme = '', port = ''] = /^\/(https?)\/(\d+)\//.exec(request.url ?? '') ?? [];
    const keys = `${scheme}://127.0.0.1:${port}/keys`;
    response.end(JSON.stringify({ issuer: `${originOf(discovery)}/${scheme}/${port}`, jwks_uri: keys }));
  }).listen(0, '127.0.0.1');
  await once(discovery, 'listening');
});
afterEach(async () => {
  discovery.closeAllConnections();
  discovery.close();
  await servers.close();
});

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

// Calls each client directly, since the service has one issuer and one Keystone. All failures run concurrently.
const issuer = (url: string) => new IssuerClient({ issuer: url } as JwtOptions).fetchKeys();
const ASKED: readonly (readonly [who: string, ask: (scheme: string, port: number) => Promise<unknown>])[] = [
  ['the discovery of an issuer', (scheme, port) => issuer(`${scheme}://127.0.0.1:${port}`)],
  ['the keys of an issuer', (scheme, port) => issuer(`${originOf(discovery)}/${scheme}/${port}`)],
  [
    'Keystone',
    (scheme, port) => {
      const options = { url: `${scheme}://127.0.0.1:${port}/v3`, serviceUser: null } as KeystoneOptions;
      return new KeystoneClient(options).validate('a-token');
    },
  ],
];

it.each(ASKED)('14.1, 14.3 every socket failure during a request to %s is 503 in bounded time', async (_, ask) => {
  const outcomes = await Promise.all(
    ENDS.map(async ([scheme, end]) => {
      const port = await servers.listen(end);
      const began = performance.now();
      const outcome = await ask(scheme, port).then(
        () => 'answered',
        (error: unknown) => (error as { readonly code?: string }).code ?? String(error),
      );
      const isLate = performance.now() - began > LONGEST;
      return { what: `${scheme} ${end.what}`, outcome, isLate };
    }),
  );
  expect(outcomes).toEqual(outcomes.map(({ what }) => ({ what, outcome: 'unavailable', isLate: false })));
});
