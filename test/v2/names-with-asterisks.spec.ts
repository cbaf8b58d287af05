import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type RecordSetList, RecordSets } from '../support/record-sets.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { type ListBody, newZone, type ZoneBody } from '../support/v2.js';

let service: TestService;
let zone: TestDomain;
let sets: RecordSets;

beforeAll(async () => {
  service = await startTestService();
  zone = await newDomain(service);
  sets = new RecordSets(service, zone);
  for (const label of ['def.sub', 'www.sub', '*', 'a-*', 'a-b']) await sets.make({ name: sets.at(label) });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

/** Names in a list filtered by name, without the zone name. */
async function namesIn(path: string, filter: string, client: Client = service): Promise<string[]> {
  const list = await bodyOf<RecordSetList>(client.call('get', `${path}?name=${encodeURIComponent(filter)}`));
  expect(list.metadata).toEqual({ total_count: list.recordsets.length });
  return list.recordsets.map(({ name }) => name.replace(`.${zone.name}`, ''));
}

describe.each([
  ['the list of the zone', () => sets.path],
  ['the list of all zones', () => '/v2/recordsets'],
])('a name with an asterisk in %s', (_, path) => {
  it.each([
    ['*.{zone}', ['*']],
    ['*.{ZONE}', ['*']],
    ['*.sub.{zone}', []],
    ['*.www.sub.{zone}', []],
    ['*sub.{zone}', ['def.sub', 'www.sub']],
    ['*.sub.*', ['def.sub', 'www.sub']],
    ['d*.sub.{zone}', ['def.sub']],
    ['a-*.{zone}', ['a-*', 'a-b']],
  ])('1.12 is one name where each asterisk is a whole label, otherwise a pattern: %s', async (filter, expected) => {
    const name = filter.replace('{zone}', zone.name).replace('{ZONE}', zone.name.toUpperCase());
    expect(await namesIn(path(), name)).toEqual(expected);
  });

  it('1.12 leads to the wildcard set alone once it is there', async () => {
    const wildcard = await sets.make({ name: sets.at('*.sub') });
    expect(await namesIn(path(), sets.at('*.sub'))).toEqual(['*.sub']);
    await answerOf(sets.delete(wildcard.id), 202);
    expect(await namesIn(path(), sets.at('*.sub'))).toEqual([]);
  });
});

it('1.12, 13.10 leads a guest to its own wildcard set or to none', async () => {
  const guest = service.as('guest');
  await answerOf(service.call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' }), 201);
  const own = new RecordSets(guest, zone);
  const plain = await own.make({ name: own.at('x.shared') });
  expect(await namesIn(own.path, own.at('*.shared'), guest)).toEqual([]);
  const wildcard = await own.make({ name: own.at('*.shared') });
  expect(await namesIn(own.path, own.at('*.shared'), guest)).toEqual(['*.shared']);
  for (const { id } of [plain, wildcard]) await answerOf(own.delete(id), 202);
});

it('1.12 no zone has the name of a wildcard', async () => {
  const below = await newZone(service, `below.${zone.name}`);
  const found = async (name: string) => {
    const { zones } = await bodyOf<ListBody<'zones', ZoneBody>>(service.call('get', `/v2/zones?name=${name}`));
    return zones.map(({ id }) => id);
  };
  expect(await found(`*.${zone.name}`)).toEqual([]);
  expect(await found(`*${zone.name}`)).toEqual([zone.id, below.id]);
  expect(await found(`bel*.${zone.name}`)).toEqual([below.id]);
});
