import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { startTestService, type TestService } from '../support/service.js';
import { EndingServers, SOCKET_ENDS, type SocketEnd } from '../support/socket-ends.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

/** In milliseconds: a master is waited for ten seconds, and not all are asked at a time. */
const PATIENCE = 80_000;
const REFRESHES = 'zonewright_zone_refreshes_total';

let service: TestService;
let servers: EndingServers;
beforeEach(async () => {
  servers = new EndingServers();
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
  });
});
afterEach(async () => {
  await service.stop();
  await servers.close();
});

async function newZone(end: SocketEnd, at: number): Promise<void> {
  const masters = [`127.0.0.1:${await servers.listen(end)}`];
  const body = { name: `zone-${at}.example.org.`, type: 'SECONDARY', masters };
  await answerOf(service.as(`tenant-${at}`).call('post', '/v2/zones', body), 202);
}

const failed = async (): Promise<number> =>
  sumOf(samplesIn((await answerOf(service.call('get', '/metrics'))).text), REFRESHES, { result: 'failed' });

it('13.11 every socket failure of a primary fails the refresh in bounded time, and no stop waits for it', async () => {
  await Promise.all(SOCKET_ENDS.map(newZone));
  await until(async () => (await failed()) >= SOCKET_ENDS.length, PATIENCE);
  // Due zones are refreshed again.
  const begin = performance.now();
  await service.running.stop();
  expect(performance.now() - begin).toBeLessThan(10_000);
});
