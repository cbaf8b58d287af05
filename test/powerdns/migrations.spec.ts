import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { audit } from '../support/audit.js';
import { writerOptionsOf } from '../support/data-source.js';
import { domainOf, newDomain } from '../support/domain.js';
import { contentsOf, PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { databaseFileIn, removeTestData, startTestService } from '../support/service.js';

/** What a release without this interface does not have. */
const NEW = ['KeepApexNs1763970000000', 'AnnotateRecordSets1763970010000'];

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-powerdns-'));
});
afterEach(() => removeTestData(directory));

/** Takes the schema back to what it was before. */
async function goBack(): Promise<void> {
  const dataSource = await new DataSource(await writerOptionsOf(databaseFileIn(directory))).initialize();
  try {
    for (;;) {
      const done = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
      if (!done.some(({ name }) => NEW.includes(name))) return;
      await dataSource.undoLastMigration({ transaction: 'each' });
    }
  } finally {
    await dataSource.destroy();
  }
}

describe('an upgrade', () => {
  it('18.6, 21.5, 21.9 keeps what is stored, and takes comments and apex NS from then on', async () => {
    let service = await startTestService({}, directory);
    const made = await newDomain(service);
    await made.newRecord({ name: made.at('www'), type: 'A', data: '192.0.2.1' });
    await service.stop();
    await goBack();
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
