import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itWith, type Program, run, withFile } from '../support/run-program.js';
import { startTestService, type TestService } from '../support/service.js';
import { newDomain } from '../support/domain.js';

const NAMED_CHECKZONE: Program = { name: 'named-checkzone', needs: { 'named-checkzone': 'bind9-utils' } };

/** Owner names with underscores with a record of each type; BIND decides which are valid. */
const RECORDS = [
  '_a A 192.0.2.1',
  'a_b A 192.0.2.1',
  'a._b.c A 192.0.2.1',
  '*._b A 192.0.2.1',
  '_a AAAA 2001:db8::1',
  '_a MX 10 mx.example.net.',
  'gc._msdcs A 192.0.2.1',
  '_a TXT x',
  '_a CNAME www.example.net.',
  '_a NS ns.example.net.',
  '_s._tcp SRV 1 1 1 srv.example.net.',
  '_443._tcp TLSA 3 1 1 0000000000000000000000000000000000000000000000000000000000000000',
  'www A 192.0.2.1',
  '* A 192.0.2.1',
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.' });
});
afterAll(() => service.stop());

describe('zone check', () => {
  itWith(NAMED_CHECKZONE)(
    '15.7 warns of every owner name that BIND as a primary refuses, and of no other',
    async () => {
      const verdicts: Record<string, { refused: boolean; warned: boolean }> = {};
      for (const record of RECORDS) {
        const zone = await newDomain(service);
        await zone.import(`${record}\n`);
        const { errors, warnings } = await zone.check();
        const [label = ''] = record.split(' ');
        const warned = [...errors, ...warnings].some(({ name }) => name === zone.at(label));
        verdicts[record] = { refused: await isRefusedByBind(zone.name, await zone.export()), warned };
      }
      const different = Object.entries(verdicts).filter(([, { refused, warned }]) => refused !== warned);
      expect(Object.fromEntries(different)).toEqual({});
      expect(Object.values(verdicts).filter(({ refused }) => refused).length).toBeGreaterThan(3);
    },
  );

  it('15.7 warns about exactly the names that BIND reports', async () => {
    const zone = await newDomain(service);
    await zone.import('_a A 192.0.2.1\n');
    const { warnings } = await zone.check();
    const kind = 'not_a_host_name';
    expect(warnings).toEqual([{ name: zone.at('_a'), type: 'A', kind, message: expect.stringContaining('BIND') }]);
  });
});

/** As BIND loads a zone that it is the primary of: `check-names primary fail` is its default. */
async function isRefusedByBind(zone: string, file: string): Promise<boolean> {
  return withFile(
    file,
    async (path) => (await run('named-checkzone', ['-k', 'fail', '-i', 'none', zone, path])).failed,
  );
}
