import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { add, startUpdateService, type UpdateService } from '../support/updates.js';

/** 60,000 octets of RDATA. Text and RDATA in hexadecimal have 360,000. */
const DATA = String.raw`\127`.repeat(60_000);
/** All of them have 17.2 MiB. */
const RECORDS = 50;
const NAMES = Array.from({ length: RECORDS }, (_, at) => `h${at}`);
const PER_REQUEST = 3;
const LESS = 40;
/** Half a minute of an idle machine. */
const PATIENCE = 300_000;

let service: UpdateService;
let domain: TestDomain;
let ids: readonly string[];
let firstSerial: number;

async function recordsIn(place: TestDomain, names: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (let from = 0; from < names.length; from += PER_REQUEST) {
    const changes = names.slice(from, from + PER_REQUEST).map((name) => ({
      action: 'create',
      record: { name: place.at(name), type: 'TXT', data: DATA },
    }));
    const done = await bodyOf<{ readonly changes: readonly { readonly record: { readonly id: string } }[] }>(
      service.call('post', `/v1/domains/${place.id}/changes`, { changes }),
    );
    made.push(...done.changes.map(({ record }) => record.id));
  }
  return made;
}

beforeAll(async () => {
  service = await startUpdateService({ SERVICE_API__CHANGES_PER_MINUTE: '0' });
  domain = await newDomain(service);
  ids = await recordsIn(domain, NAMES);
  firstSerial = (await domain.now()).serial;
});
afterAll(() => service.stop());

const setTtls = (ttl: number, count = RECORDS, query = '') =>
  service.call('post', `/v1/domains/${domain.id}/changes${query}`, {
    changes: ids.slice(0, count).map((id) => ({ action: 'update', id, record: { ttl } })),
  });

describe('a change of 17.2 MiB of record data', () => {
  it.each(['', '?dry_run=true'])(
    '9.7 is refused with its size, the bound and the way out: changes%s',
    async (query) => {
      const { message } = await refusalOf(setTtls(60, RECORDS, query), 413, 'payload_too_large');
      expect(message).toBe(
        'The change writes 17.2 MiB of record data (text, and RDATA in hexadecimal), more than the 16.0 MiB of one change; send it in several changes.',
      );
      expect((await domain.now()).serial).toBe(firstSerial);
    },
  );

  it('9.7 is refused as an UPDATE', async () => {
    const updater = await service.newUpdater();
    const updates = NAMES.map((name) => add(domain.at(name), 60, 'TXT', '"short"'));
    expect(await updater.update(domain.name, { updates })).toBe('REFUSED');
    expect((await domain.now()).serial).toBe(firstSerial);
  });
});

it('9.7 does not bound a smaller change, and a revert as any other change', async () => {
  expectStatus(await setTtls(60, LESS), 200);
  const { serial } = await domain.now();
  const changes = ids.map((id) => ({ action: 'delete', id }));
  expectStatus(await service.call('post', `/v1/domains/${domain.id}/changes`, { changes }), 200);
  await refusalOf(service.call('post', `/v1/domains/${domain.id}/revert`, { serial }), 413, 'payload_too_large');
});

it(
  '9.7 limits the deletions of one change to 64 MiB',
  async () => {
    const place = await newDomain(service);
    const some = await recordsIn(
      place,
      Array.from({ length: 190 }, (_, at) => `d${at}`),
    );
    const deleting = (of: readonly string[]) =>
      service.call('post', `/v1/domains/${place.id}/changes`, { changes: of.map((id) => ({ action: 'delete', id })) });
    const { message } = await refusalOf(deleting(some), 413, 'payload_too_large');
    expect(message).toMatch(/^The change deletes 65\.3 MiB of record data .* more than the 64\.0 MiB of one change/);
    expectStatus(await deleting(some.slice(10)), 200);
    expectStatus(await deleting(some.slice(0, 10)), 200);
  },
  PATIENCE,
);
