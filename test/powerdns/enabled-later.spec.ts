import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { domainOf, newDomain } from '../support/domain.js';
import { contentsOf, PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { databaseFileIn, removeTestData, startTestService } from '../support/service.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-powerdns-'));
});
afterEach(() => removeTestData(directory));

describe('the PowerDNS interface', () => {
  it('21.5, 21.9 when enabled later, shows stored data and accepts comments and apex NS', async () => {
    let service = await startTestService({}, directory);
    const made = await newDomain(service);
    await made.newRecord({ name: made.at('www'), type: 'A', data: '192.0.2.1' });
    await service.stop();
    service = await startTestService(WITH_POWERDNS, directory);
    try {
      const client = new PowerDnsClient(service);
      const domain = domainOf(service, made);
      const name = domain.at('www');
      expect(contentsOf(await client.rrset(domain.name, name, 'A'))).toEqual(['192.0.2.1']);
      const comments = [{ content: 'x', account: 'y', modified_at: 1 }];
      await client.patch(
        domain.name,
        replaced(name, 'A', ['192.0.2.2'], { comments }),
        replaced(domain.name, 'NS', ['ns.example.net.']),
      );
      expect(await client.rrset(domain.name, name, 'A')).toMatchObject({ comments });
      expect(await domain.now()).toMatchObject({ name_servers: ['ns.example.net.'] });
      audit(databaseFileIn(directory));
    } finally {
      await service.stop();
    }
  });
});
