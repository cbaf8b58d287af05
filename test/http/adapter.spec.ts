import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, Module, type NestApplicationOptions, NotFoundException } from '@nestjs/common';
import { mkdtemp } from 'node:fs/promises';
import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import request from 'supertest';
import { compose, definePlugin, Public, ServiceError, startService } from '../../src/index.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { selfSignedCertificate } from '../support/certificate.js';
import { collect, openSocket } from '../support/raw-http.js';
import { environmentOf, removeTestData } from '../support/service.js';

const REPORT = 'application/vnd.acme.report+json';

/** A controller as another team might add it. */
@Public()
@Controller('reports')
class ReportsController {
  @Get('one')
  @Header('Content-Type', REPORT)
  one(): object {
    return { title: 'grüße' };
  }

  @Get('none')
  @Header('Content-Type', REPORT)
  none(): object {
    throw new ServiceError('unavailable', 'There are no reports today.');
  }

  @Get('gone')
  @Header('Content-Type', REPORT)
  gone(): object {
    throw new NotFoundException();
  }
}

@Module({ controllers: [ReportsController] })
class ReportsModule {}

const REPORTS = definePlugin({ name: 'reports', zonewright: '*', api: () => ({ modules: [ReportsModule] }) });

interface Application {
  readonly server: Server | HttpsServer;
  readonly port: number;
  stop(): Promise<void>;
}

/** The service as a team would start it in its own program, with Nest's own options. */
async function startApplication(options: NestApplicationOptions): Promise<Application> {
  const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  const composition = compose([REPORTS], { env: environmentOf(directory), cwd: directory });
  const running = await startService(composition, { logger: false, ...options });
  return {
    server: running.application.app.getHttpServer(),
    port: Number(new URL(running.url).port),
    stop: async () => {
      await running.stop();
      await removeTestData(directory);
    },
  };
}

describe('an application that is built with httpsOptions', () => {
  let application: Application;
  let url: string;
  beforeAll(async () => {
    application = await startApplication({ httpsOptions: selfSignedCertificate('localhost') });
    url = `https://127.0.0.1:${application.port}`;
  });
  afterAll(() => application.stop());

  const openTls = () => connect({ port: application.port, host: '127.0.0.1', rejectUnauthorized: false });

  it('1.7 answers over TLS, and its links say so', async () => {
    const domain = { name: 'example.org.', email: 'hostmaster@example.org' };
    const answer = await request(url).post('/v1/domains').disableTLSCerts().send(domain);
    expectStatus(answer, 200);
    expect(answer.headers.location).toBe(`${url}/v1/domains/${answer.body.id}`);
  });

  it('1.9 has the classes and the times of its server without TLS', async () => {
    const plain = await startApplication({});
    const { headersTimeout, requestTimeout, keepAliveTimeout } = plain.server;
    expect(application.server).toBeInstanceOf(HttpsServer);
    expect(application.server).toMatchObject({ headersTimeout, requestTimeout, keepAliveTimeout });
    expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([20_000, 60_000, 65_000]);
    const classes = async (running: Application) => {
      const made = new Promise((resolve) => {
        running.server.once('request', (incoming, outgoing) =>
          resolve([incoming.constructor.name, outgoing.constructor.name]),
        );
      });
      await request(running.server).get('/').disableTLSCerts();
      return made;
    };
    expect(await classes(application)).toEqual(['ExpressRequest', 'ExpressResponse']);
    expect(await classes(plain)).toEqual(['ExpressRequest', 'ExpressResponse']);
    await plain.stop();
  });

  it.each(['GET / HTTP/1.1\r\n\r\n', 'nonsense\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'])(
    '1.4 answers 400 to the malformed %j',
    async (octets) => {
      const socket = openTls();
      socket.write(octets);
      const { status, text, isClosed } = await collect(socket);
      expect({ status, isClosed }).toEqual({ status: 400, isClosed: true });
      expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 400, type: 'bad_request' });
    },
  );

  it.each(['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\x16\x03\x01\x00\x05nonsense'])(
    'ends a connection that begins with %j and not with a handshake, and goes on serving',
    async (octets) => {
      const socket = openSocket(`http://127.0.0.1:${application.port}`);
      socket.write(Buffer.from(octets, 'latin1'));
      expect(await collect(socket)).toMatchObject({ isClosed: true, status: 0 });
      expectStatus(await request(url).get('/').disableTLSCerts(), 200);
    },
  );
});

describe('an application that is built with forceCloseConnections', () => {
  it('closes without waiting for a request that never ends', async () => {
    const { server, port, stop } = await startApplication({ forceCloseConnections: true });
    const socket = openSocket(`http://127.0.0.1:${port}`);
    const arrived = new Promise((resolve) => server.once('request', resolve));
    socket.write('POST /v1/domains HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n');
    await arrived;
    const over = collect(socket);
    await stop();
    expect(await over).toMatchObject({ isClosed: true });
  });
});

describe('a response with an explicit Content-Type', () => {
  let application: Application;
  beforeAll(async () => {
    application = await startApplication({});
  });
  afterAll(() => application.stop());

  const get = (path: string) => request(application.server).get(path).buffer(true);

  it('keeps it', async () => {
    const answer = await get('/reports/one');
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe(REPORT);
    expect(JSON.parse(answer.text)).toEqual({ title: 'grüße' });
  });

  it('2.1 gets JSON for refusals', async () => {
    expectRefusal(await get('/reports/none'), { status: 503, type: 'unavailable' });
    expectRefusal(await get('/reports/gone'), { status: 404, type: 'not_found' });
  });
});
