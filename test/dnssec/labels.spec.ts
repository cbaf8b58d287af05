import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1', ...DNSSEC_ON });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

interface Row {
  readonly version: number;
  readonly published_version: number;
  readonly published_serial: number;
  readonly signed_version: number;
  readonly step: number;
}

it('7.7, 7.8 labels need no new signatures of a signed domain', async () => {
  const client = service.as('acme');
  const domain = await newDomain(client);
  const { name, type } = await domain.newRecord();
  await answerOf(client.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }));
  const row = (): Row =>
    lookInto(service.databaseFile, ({ rows }) =>
      rows<Row>(
        'SELECT z.version, z.published_version, z.published_serial, s.signed_version, s.step' +
          ` FROM zones z JOIN zone_signing s ON s.zone_id = z.id WHERE z.id = '${domain.id}'`,
      ),
    )[0]!;
  await until(() => Promise.resolve(row().published_version === row().version && row().step > 0));
  const before = row();
  await answerOf(client.call('put', `/v1/domains/${domain.id}`, { labels: { team: 'web' } }));
  const changes = [{ action: 'label', name, type, labels: { owner: 'deploy' } }];
  const { serial } = await bodyOf<{ serial: number }>(
    client.call('post', `/v1/domains/${domain.id}/changes`, { changes }),
  );
  const version = before.version + 2;
  expect(row()).toEqual({ ...before, version, published_version: version, signed_version: version });
  // A later change is signed as before.
  await domain.newRecord({ data: '192.0.2.9' });
  await until(() => Promise.resolve(row().published_version === row().version));
  expect(row().step).toBe(before.step + 1);
  expect(row().published_serial).toBeGreaterThan(serial);
});
