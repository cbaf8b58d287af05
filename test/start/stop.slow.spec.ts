import { afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { audit } from '../support/audit.js';
import { temporaryDirectories } from '../support/directory.js';
import { type ServiceProcess, startServiceProcess, wordsIn } from '../support/process.js';
import { collect, openSocket, receive } from '../support/raw-http.js';
import { databaseFileIn, environmentOf, type Settings } from '../support/service.js';
import { until } from '../support/until.js';

const newDirectory = temporaryDirectories();

const BODY = '{"name":"example.org.","email":"hostmaster@example.org"}';
const HEAD = `POST /v1/domains HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;

describe('18.3 a stop', () => {
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    service?.signal('SIGKILL');
    await service?.ended;
    service = undefined;
  });

  async function start(settings: Settings = {}): Promise<{ process: ServiceProcess; directory: string }> {
    const directory = await newDirectory();
    service = await startServiceProcess(directory, environmentOf(directory, settings));
    return { process: service, directory };
  }

  async function openIdle(url: string): Promise<Socket> {
    const socket = openSocket(url);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await receive(socket, (text) => text.includes('versions'));
    return socket;
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s finishes the upload in flight, with idle connections open, and exits 0',
    async (signal) => {
      const { process, directory } = await start();
      const idle = await openIdle(process.url);
      const upload = openSocket(process.url);
      upload.write(HEAD + BODY.slice(0, 10));
      await delay(100);
      process.signal(signal);
      await delay(300);
      expect(await collect(openSocket(process.url), 500)).toMatchObject({ text: '', isClosed: true });
      const answer = collect(upload, 3000);
      upload.write(BODY.slice(10));
      expect(await answer).toMatchObject({ status: 200, isClosed: true });
      const { code, stdout, stderr } = await process.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(wordsIn(stdout).slice(-2)).toEqual([`${signal}: finishing the requests in flight`, 'stopped']);
      idle.destroy();
      audit(databaseFileIn(directory));
    },
  );

  it('waits for a request that never ends no longer than shutdown_grace', async () => {
    const { process } = await start({ SERVICE_API__SHUTDOWN_GRACE: '1' });
    const upload = openSocket(process.url);
    upload.write(HEAD + BODY.slice(0, 10));
    await delay(100);
    const started = performance.now();
    process.signal('SIGTERM');
    expect(await process.ended).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - started).toBeLessThan(15_000);
    upload.destroy();
  });

  it('bears a second signal', async () => {
    const { process } = await start();
    const upload = openSocket(process.url);
    upload.write(HEAD + BODY.slice(0, 10));
    await delay(100);
    process.signal('SIGINT');
    await delay(100);
    process.signal('SIGTERM');
    await delay(100);
    upload.write(BODY.slice(10));
    expect(await collect(upload, 3000)).toMatchObject({ status: 200 });
    expect(await process.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('loses nothing that was answered while clients are busy', async () => {
    const { process, directory } = await start();
    const answered: string[] = [];
    const busy = Array.from({ length: 8 }, async (_, client) => {
      for (let index = 0; ; index += 1) {
        const name = `d${client}-${index}.example.org.`;
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
        const body = JSON.stringify({ name, email: 'hostmaster@example.org' });
        const answer = await fetch(`${process.url}/v1/domains`, { ...init, body }).catch(() => null);
        if (answer === null) return;
        expect(answer.status).toBe(200);
        await answer.text();
        answered.push(name);
      }
    });
    await until(() => answered.length > 8, 20_000);
    process.signal('SIGTERM');
    await Promise.all(busy);
    expect(await process.ended).toMatchObject({ code: 0, stderr: '' });
    service = await startServiceProcess(directory, environmentOf(directory));
    const { domains } = (await (await fetch(`${service.url}/v1/domains`)).json()) as { domains: { name: string }[] };
    const stored = new Set(domains.map(({ name }) => name));
    expect(answered.filter((name) => !stored.has(name))).toEqual([]);
  });
});
