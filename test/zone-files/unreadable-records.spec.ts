import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { refusalOf } from '../support/answers.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';

let service: TestService;
let zone: TestDomain;
let bad: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
  await zone.import('bad A 192.0.2.1\nbad A 192.0.2.2\nbad TXT x\ngood A 192.0.2.3\n');
  const records = await zone.records();
  bad = records.find(({ data }) => data === '192.0.2.1')!.id;
});

it.each([
  ['RDATA', "rdata = 'zz'"],
  ['RDATA of another length', "rdata = 'c000020100'"],
  ['an owner name', "name = 'not..a name'"],
  ['an owner name of another record', "name = 'good.example.org.'"],
  ['a type', "type = 'NOPE'"],
])('12.4 a record set with %s that cannot be read is left out, and everything else is served', async (_, damage) => {
  storeRows(service.databaseFile, {}, `UPDATE records SET ${damage} WHERE id = '${bad}'`);
  const text = await zone.export();
  const [, , ...lines] = linesOfExport(text);
  expect(lines).toEqual([`${zone.at('bad')} 3600 TXT "x"`, `${zone.at('good')} 3600 A 192.0.2.3`]);
  expect(text).toMatch(new RegExp(`^; left out: ${zone.at('bad')} \\w+ record ${bad}$`, 'm'));
  const { errors } = await zone.check();
  const unreadable = { name: zone.at('bad'), kind: 'unreadable_record', text: bad };
  expect(errors).toContainEqual(expect.objectContaining(unreadable));
  await refusalOf(zone.sendFile(text, '?mode=replace'), 400, 'invalid_object');
  expect(await zone.import(text, '?dry_run=true&incomplete=true')).toMatchObject({ created: 0 });
});
