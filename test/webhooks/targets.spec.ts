import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import packet from 'dns-packet';
import fc from 'fast-check';
import { answerOf, expectRefusal } from '../support/answers.js';
import { selfSignedCertificate } from '../support/certificate.js';
import { startTestService, type TestService } from '../support/service.js';
import {
  deliveriesOf,
  newWebhook,
  untilDeliveries,
  WebhookReceiver,
  WEBHOOKS_ON,
} from '../support/webhook-receiver.js';
import { until } from '../support/until.js';

describe('19.11 targets that are refused when they are named (attack case 90)', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks' });
  });
  afterAll(() => service.stop());

  it.each([
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//example.org/',
    'https://user@example.org/',
    'https://user:password@example.org/',
    'https://example.org/#part',
    'https://example.org:22/',
    'https://example.org:5432/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://１２７.0.0.1/',
    'https://0.0.0.0/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b:1::a00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[2001:db8::1]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
  ])('19.11 %s', async (url) => {
    expectRefusal(await service.call('post', '/v1/webhooks', { url }), {
      ...{ status: 400, type: 'invalid_object' },
      faults: [{ path: 'url', validator: 'format' }],
    });
  });

  it.each(['https://example.org/', 'https://example.org:8443/x?y=z', 'https://9.9.9.9/', 'https://[2620:fe::fe]/'])(
    '19.11 %s is none of them',
    async (url) => {
      await newWebhook(service, { url });
    },
  );

  it('19.11 any input is a URL that may be called, or 400', async () => {
    const near = fc.webUrl({ validSchemes: ['https', 'http'], withFragments: true, withQueryParameters: true });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          near,
          fc.string({ unit: 'binary' }),
          fc.ipV6().map((at) => `https://[${at}]/`),
        ),
        async (url) => {
          const answer = await service.call('post', '/v1/webhooks', { url });
          if (answer.status !== 200) expectRefusal(answer, { status: 400, type: 'invalid_object' });
          else await answerOf(service.call('delete', `/v1/webhooks/${answer.body.id}`));
        },
      ),
      { numRuns: 50 },
    );
  });
});

/** A name server with given answers and a TTL of 0. */
class FickleNameServer {
  private readonly socket: Socket = createSocket('udp4');
  asked = 0;
  addresses: (asked: number) => readonly string[] = () => [];

  async listen(): Promise<string> {
    this.socket.on('message', (octets, { port, address }) => {
      const { id, questions = [] } = packet.decode(octets);
      const [{ name, type } = { name: '', type: 'A' }] = questions as { name: string; type: string }[];
      if (type === 'A') this.asked += 1;
      const answers = type === 'A' ? this.addresses(this.asked) : [];
      const answer = packet.encode({
        ...{ type: 'response', id: id ?? 0, flags: packet.RECURSION_AVAILABLE, questions: questions },
        answers: answers.map((data) => ({ type: 'A', name, ttl: 0, data })),
      });
      this.socket.send(answer, port, address);
    });
    this.socket.bind(0, '127.0.0.1');
    await once(this.socket, 'listening');
    return `127.0.0.1:${this.socket.address().port}`;
  }

  close(): void {
    this.socket.close();
  }
}

describe('19.11 targets that are judged when they are called (attack case 90)', () => {
  const names = new FickleNameServer();
  let receiver: WebhookReceiver;
  let service: TestService;
  beforeEach(async () => {
    receiver = await WebhookReceiver.listening();
  });
  afterEach(() => receiver.stop());
  beforeAll(async () => {
    const resolvers = await names.listen();
    service = await startTestService({ ...WEBHOOKS_ON, WEBHOOKS__RESOLVERS: resolvers });
  });
  afterAll(async () => {
    await service.stop();
    names.close();
  });

  const faultOf = async (url: string): Promise<string | null> => {
    const { id } = await newWebhook(service, { url });
    await answerOf(service.call('post', `/v1/webhooks/${id}/test`));
    await until(async () => ((await deliveriesOf(service, id))[0]?.attempts ?? 0) > 0);
    const [delivery] = await deliveriesOf(service, id);
    await answerOf(service.call('delete', `/v1/webhooks/${id}`));
    return delivery?.fault ?? null;
  };

  it('19.11 by the address that the name has then, and by each anew', async () => {
    // The first address is allowed. The second is 127.0.0.2, on the service machine but not in allowed_targets.
    names.asked = 0;
    names.addresses = (asked) => [asked === 1 ? '127.0.0.1' : '127.0.0.2'];
    const { id } = await newWebhook(service, { url: `http://fickle.example:${receiver.port}/` });
    await answerOf(service.call('post', `/v1/webhooks/${id}/test`));
    await untilDeliveries(service, id, 'delivered', 1);
    await answerOf(service.call('post', `/v1/webhooks/${id}/test`));
    await until(async () => ((await deliveriesOf(service, id, '?status=waiting'))[0]?.attempts ?? 0) > 0);
    const [waiting] = await deliveriesOf(service, id, '?status=waiting');
    expect(waiting?.fault).toBe('fickle.example: its address is not allowed');
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers.host).toBe(`fickle.example:${receiver.port}`);
    await answerOf(service.call('delete', `/v1/webhooks/${id}`));
  });

  it('19.11 of several addresses by the permitted ones', async () => {
    names.addresses = () => ['10.0.0.1', '127.0.0.1', '169.254.169.254'];
    const { id } = await newWebhook(service, { url: `http://several.example:${receiver.port}/` });
    await answerOf(service.call('post', `/v1/webhooks/${id}/test`));
    await receiver.untilReceived(1);
    await answerOf(service.call('delete', `/v1/webhooks/${id}`));
  });

  it.each([
    [['10.0.0.1'], 'its address is not allowed'],
    [['127.0.0.2', '192.168.0.1'], 'its address is not allowed'],
    [[], 'no address found'],
  ])('19.11 %j', async (addresses, fault) => {
    names.addresses = () => addresses;
    expect(await faultOf(`http://inner.example:${receiver.port}/`)).toBe(`inner.example: ${fault}`);
    expect(receiver.received).toEqual([]);
  });

  it('19.11 and a redirect leads nowhere', async () => {
    receiver.answer = (response) => response.writeHead(302, { Location: receiver.url('/elsewhere') }).end();
    expect(await faultOf(receiver.url())).toBe('HTTP status 302');
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('19.11 and a server without a valid certificate gets no data', async () => {
    const told: string[] = [];
    const stranger = createHttpsServer(selfSignedCertificate('localhost'), ({ url = '' }) => void told.push(url));
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    names.addresses = () => ['127.0.0.1'];
    expect(await faultOf(`https://stranger.example:${port}/`)).toBe(
      'the connection failed: DEPTH_ZERO_SELF_SIGNED_CERT',
    );
    expect(told).toEqual([]);
    stranger.close();
  });

  it('19.11 and a proxy of the environment is not asked', async () => {
    const proxy = await WebhookReceiver.listening();
    const former = process.env.http_proxy;
    process.env.http_proxy = proxy.url();
    try {
      expect(await faultOf(receiver.url())).toBeNull();
      expect(proxy.received).toEqual([]);
    } finally {
      if (former === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = former;
      await proxy.stop();
    }
  });
});
