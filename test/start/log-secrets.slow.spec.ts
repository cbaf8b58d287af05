import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectories } from '../support/directory.js';
import { runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { sendRaw } from '../support/raw-http.js';
import { environmentOf } from '../support/service.js';

const newDirectory = temporaryDirectories();
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TSIG_SECRET = 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgMzIgb2N0ZXQ=';
const SETTINGS = {
  SERVICE_API__AUTH_STRATEGY: 'token',
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__TSIG_KEYS: `transfer:hmac-sha256:${TSIG_SECRET}`,
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1@transfer',
  LOG__LEVEL: 'debug',
  LOG__FORMAT: 'json',
};

/** Operations of the document with something for each of their parameters. */
async function operationsOf(url: string, document: string): Promise<[method: string, path: string][]> {
  const { paths } = (await (await fetch(`${url}/${document}`)).json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method): [string, string] => [
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, 'f3b2e6d1-0000-4000-8000-000000000000'),
      ]),
  );
}

/** Sends all requests, with secrets in every place that a client controls. */
async function askForAll({ url }: ServiceProcess, token: string, typed: readonly string[]): Promise<number> {
  const operations = [...(await operationsOf(url, 'openapi.json')), ...(await operationsOf(url, 'openapi-v2.json'))];
  const [inQuery, inBody, asCookie, asUser] = typed;
  for (const [method, path] of operations) {
    const body = method === 'GET' || method === 'DELETE' ? null : JSON.stringify({ password: inBody, token });
    const headers = {
      'X-Auth-Token': token,
      'Content-Type': 'application/json',
      Cookie: `session=${asCookie}`,
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    };
    await (await fetch(`${url}${path}?token=${inQuery}&again=${token}`, { method, headers, body })).text();
    await (await fetch(`${url}${path}`, { method, headers: { Authorization: `Bearer ${asUser}` }, body })).text();
  }
  return operations.length;
}

const said = async ({ ended }: ServiceProcess): Promise<string> => {
  const { stdout, stderr } = await ended;
  return stdout + stderr;
};

const requestsIn = (log: string): Record<string, unknown>[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request');

describe('16.4 the log of everything', () => {
  it('has a line for each request, and none of the secrets that were used (attack cases 56, 111)', async () => {
    const directory = await newDirectory();
    const env = environmentOf(directory, SETTINGS);
    const service = await startServiceProcess(directory, env);
    const begun = service.output().stdout.length;
    const admin = (await readFile(join(directory, 'admin-token'), 'utf8')).trim();
    const made = await runCommand(directory, env, ['token', 'create', '--tenant', 'acme']);
    const member = made.stdout.trim();
    const typed = [
      'typed-in-a-query',
      'typed-in-a-body',
      'typed-in-a-cookie',
      'typed-as-a-bearer',
      'typed-in-a-path',
      'typed-in-garbage',
    ];

    let asked = await askForAll(service, admin, typed);
    asked += await askForAll(service, member, typed);
    expect(asked).toBeGreaterThan(100);
    await fetch(`${service.url}/v1/${typed[4]!}/${admin}`);
    await sendRaw(service.url, `GET / HTTP/1.1\nX-Auth-Token: ${typed[5]!}\n\n`);

    service.signal('SIGTERM');
    const log = (await said(service)).slice(begun);
    const requests = requestsIn(log);
    expect(requests.length).toBeGreaterThanOrEqual(2 * asked);
    expect(requests.filter(({ tenant }) => tenant === 'acme').length).toBeGreaterThan(20);
    expect(requests.filter(({ trace_id: trace }) => trace === TRACE).length).toBe(asked);
    for (const request of requests)
      expect(request).toMatchObject({
        level: 'info',
        method: expect.any(String),
        route: expect.stringMatching(/^(none|\/[\w:/.-]*)$/),
        status: expect.any(Number),
        ms: expect.any(Number),
        request_id: expect.stringMatching(/^req-/),
      });
    for (const secret of [admin, member, TSIG_SECRET, ...typed]) expect(log).not.toContain(secret);
  });

  it('logs no requests by default', async () => {
    const directory = await newDirectory();
    const service = await startServiceProcess(directory, environmentOf(directory));
    await fetch(`${service.url}/v1/domains`);
    service.signal('SIGTERM');
    expect(requestsIn(await said(service))).toEqual([]);
  });
});
