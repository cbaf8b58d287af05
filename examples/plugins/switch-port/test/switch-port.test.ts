import assert from 'node:assert/strict';
import * as runner from 'node:test';
import { describeType, startTestService } from 'zonewright/testing';
import plugin from '../src/index.js';
import { SWPORT } from '../src/switch-port.js';

describeType(
  SWPORT,
  {
    accepts: ['sw1.example.org. 0/1 1', 'sw1.example.org. 255/65535 4094'],
    refuses: [
      '',
      'sw1.example.org 1/24 120',
      '. 1/24 120',
      'sw1.example.org. 1/24',
      'sw1.example.org. 1/0 120',
      'sw1.example.org. 01/24 120',
      'sw1.example.org. 256/1 120',
      'sw1.example.org. 1/65536 120',
      'sw1.example.org. "1/24" 120',
      'sw1.example.org. 1/24 0',
      'sw1.example.org. 1/24 4095',
      'sw1.example.org. 1/24 120 1',
    ],
    loads: [['sw1 1/24 120', 'sw1.example.org. 1/24 120']],
    // Nothing; no switch; port 0; VLAN 0; an octet too many.
    refusesOctets: ['', '000100180078', '03737731000100000078', '03737731000100180000', '0373773100010018007800'],
  },
  runner,
);

runner.describe('a service with SWPORT', () => {
  let service: Awaited<ReturnType<typeof startTestService>>;
  runner.before(async () => {
    service = await startTestService({ plugins: [plugin] });
  });
  runner.after(() => service.close());

  runner.it('takes it, holds it to its rules, and exports it in octets', async () => {
    const client = service.client.as({ tenant: 'acme' });
    const zone = { name: 'example.org.', email: 'hostmaster@example.org' };
    const { id } = (await client.post('/v1/domains', zone)).expect(200).json;
    const create = (name: string, data: string) =>
      client.post(`/v1/domains/${id}/records`, { name, type: 'SWPORT', data });

    (await create('host.example.org.', 'SW1.example.org. 1/24 120')).expect(200);
    const unknown = (await create('other.example.org.', 'sw1.example.org. 1/24 4095')).expect(400);
    assert.match(unknown.json.errors[0].message, /the vlan 4095 cannot be used/);
    for (const name of ['example.org.', '*.example.org.', 'host.example.org.'])
      assert.equal(
        (await create(name, 'sw1.example.org. 1/25 120')).expect(400).json.type,
        'invalid_recordset_location',
      );

    const { text } = (await client.get(`/v1/domains/${id}/export`)).expect(200);
    assert.match(text, /^host\.example\.org\.\t3600\tIN\tTYPE65310\t\\# 22 /m);
  });
});
