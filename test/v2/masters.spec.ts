import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { freshName } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf, type ZoneBody } from '../support/v2.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: '127.0.0.1:0' });
});
afterAll(() => service.stop());

const create = (masters: readonly string[]) =>
  service.call('post', '/v2/zones', { name: freshName(), type: 'SECONDARY', masters });

describe('13.11 masters that are refused unless the operator allows them (attack case 97)', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1:53',
    '127.0.0.1',
    '169.254.169.254',
    '192.0.2.53',
    '198.18.0.1',
    '224.0.0.1',
    '::1',
    '[::ffff:9.9.9.9]:53',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::53',
    '2002:7f00:1::',
    '[2002:c000:204::1]:53',
    'fd00::1',
    'fe80::1',
  ])('13.11 %s', async (master) => {
    await v2RefusalOf(create([master]), 400, 'invalid_object', [['masters', 0]]);
  });

  it('13.11 and public addresses are refused', async () => {
    const { id } = await bodyOf<ZoneBody>(create(['9.9.9.9', '[2620:fe::fe]:53', 'ns1.example.org']), 202);
    await answerOf(service.call('delete', `/v2/zones/${id}`), 202);
  });

  it('13.11 and addresses of the machine itself, whichever it has', async () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((addresses = []) => addresses))
      await v2RefusalOf(create([address]), 400, 'invalid_object', [['masters', 0]]);
  });
});
