import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Reads } from '../../src/database/reads.js';
import { ServedZone } from '../../src/records/served/served-zone.js';
import { COMPLETE, type ExportForm, WITH_DIRECTIVES } from '../../src/zone-files/export/export-form.js';
import { ZoneTextRendering } from '../../src/zone-files/export/zone-text-rendering.js';
import { ZoneTexts } from '../../src/zone-files/export/zone-texts.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { anyChange, removeZone } from '../support/random-changes.js';
import { seedRecords } from '../support/seed.js';
import { executeIn } from '../support/stored.js';

/** Large enough that the text is edited instead of rendered again. */
const MANY = 400;
/** At this length the text exceeds 1 MiB, and so is spooled. */
const LONG_TEXT = 'x'.repeat(4000);
/** The text as RDATA character strings, in hexadecimal. */
const LONG_RDATA = [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 175]
  .map((length) => length.toString(16) + '78'.repeat(length))
  .join('');
const PRESENT = new AbortController().signal;

let service: AssembledService;
let zone: TestDomain;

beforeAll(async () => {
  service = await assembleTestService({});
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});

const seed = (text: string | null = null): string[] => seedRecords(service.databaseFile, zone.id, MANY, text);
const execute = (sql: string): void => executeIn(service.databaseFile, sql);
/** A change that only a complete rendering would show. */
const changeBehindItsBack = (name: string, rdata = 'c0000263'): void =>
  execute(`UPDATE records SET rdata = '${rdata}' WHERE zone_id = '${zone.id}' AND name = '${zone.at(name)}'`);

async function renderedAnew(form: ExportForm = COMPLETE): Promise<string> {
  let text = '';
  for await (const piece of service.get(ZoneTextRendering).pieces(zone.id, form)) text += piece;
  return text;
}

async function kept(form: ExportForm): Promise<string> {
  const served = service.get(ServedZone);
  // Injection tokens are abstract classes.
  const present = await service.get<Reads>(Reads as never).run((tx) => served.zone(tx, zone.id));
  const found = await service.get(ZoneTexts).find({ zone: present, step: null, form, readerId: 'tenant-a' }, PRESENT);
  let text = '';
  for await (const piece of found.readOnce()) text += String(piece);
  return text;
}

it.each([
  ['in memory', null, '0a000007', 'c0000263'],
  ['on disk', LONG_TEXT, LONG_RDATA, '03616263'],
])('15.6 of a text %s only the lines of changed names are rendered again', async (_, text, rdata, other) => {
  const [first, second] = seed(text);
  const before = await zone.export();
  changeBehindItsBack('h7', other);
  await answerOf(zone.delete(first!));
  await answerOf(zone.update(second!, { name: zone.at('A_b') }));
  await zone.newRecord({ name: zone.name, type: 'TXT', data: '"apex"' });
  for (const name of ['h5.h5', '0', 'zzz']) await zone.newRecord({ name: zone.at(name) });
  const changed = await zone.export();
  const lineOf = (of: string): string | undefined => of.split('\n').find((line) => line.startsWith(zone.at('h7')));
  expect(lineOf(changed)).toBe(lineOf(before));
  changeBehindItsBack('h7', rdata);
  expect(changed).toBe(await renderedAnew());
});

it('15.6, 12.4 a damaged record is skipped once its name has changed, and then the text is rendered again', async () => {
  seed();
  await zone.export();
  changeBehindItsBack('h8');
  execute(`UPDATE records SET rdata = '00' WHERE zone_id = '${zone.id}' AND name = '${zone.at('h7')}'`);
  await zone.newRecord({ name: zone.at('new') });
  expect(await zone.export()).not.toContain('; left out');
  await zone.newRecord({ name: zone.at('h7'), type: 'TXT', data: '"beside"' });
  const text = await zone.export();
  expect(text).toContain(`; left out: ${zone.at('h7')} A`);
  expect(text).toContain('192.0.2.99');
  await zone.newRecord({ name: zone.at('newer') });
  expect(await zone.export()).toBe(await renderedAnew());
});

it('15.6, 11.4 the text is written anew where the history does not reach back to the one that is kept', async () => {
  seed();
  await zone.export();
  await zone.newRecord({ name: zone.at('new') });
  execute(`DELETE FROM journal WHERE zone_id = '${zone.id}'`);
  changeBehindItsBack('h7');
  expect(await zone.export()).toContain('192.0.2.99');
});

it('15.6, 11.2 an edited text equals a new one octet for octet, after any change', async () => {
  // A replaced zone keeps few unchanged lines.
  const changes = fc.array(
    anyChange.filter(({ kind }) => kind !== 'replace'),
    { minLength: 20, maxLength: 60 },
  );
  await holdsFor(
    changes,
    async (asked) => {
      zone = await newDomain(service);
      seed();
      const serials: number[] = [];
      for (const [at, { ask }] of asked.entries()) {
        serials.push((await zone.now()).serial);
        await ask(service, zone, serials);
        // Several changes may come between two exports.
        if (at % 3 === 1) continue;
        for (const form of [COMPLETE, WITH_DIRECTIVES]) expect(await kept(form)).toBe(await renderedAnew(form));
      }
      await removeZone(service, zone);
    },
    { numRuns: times(4, 40), endOnFailure: true },
  );
});
