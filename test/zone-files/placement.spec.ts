import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const DNAME = { type: 'DNAME', data: 'example.net.' };
const TXT = { type: 'TXT', data: 'text' };
const NS = { type: 'NS', data: 'ns.example.net.' };
const DS = { type: 'DS', data: `1 8 2 ${'ab'.repeat(32)}` };

type Value = typeof TXT;

const create = (label: string, value: Value) =>
  bodyOf(zone.create({ name: label === '@' ? zone.name : zone.at(label), ...value }));

/** Expects a refusal by the API and in a file, without any stored change. */
async function expectMisplaced(label: string, value: Value): Promise<void> {
  const before = contentsOf(service.databaseFile);
  const name = label === '@' ? zone.name : zone.at(label);
  await refusalOf(zone.create({ name, ...value }), 400, 'invalid_recordset_location');
  expect(await zone.refuse(`${label} ${value.type} ${value.data}\n`)).toHaveLength(1);
  expect(contentsOf(service.databaseFile)).toEqual(before);
}

describe('5.10 DNAME (RFC 6672 §2.3, §2.4)', () => {
  it('has nothing below it', async () => {
    await create('sub', DNAME);
    for (const label of ['x.sub', 'y.x.sub', '*.sub']) await expectMisplaced(label, TXT);
    await create('xsub', TXT);
  });

  it('does not allow a DNAME above existing records', async () => {
    await create('y.x.sub', TXT);
    for (const label of ['sub', 'x.sub', '@']) await expectMisplaced(label, DNAME);
    await create('z.x.sub', DNAME);
  });

  it('stands at the apex of a domain that has nothing below it', async () => {
    await create('@', DNAME);
    await expectMisplaced('www', TXT);
    await create('@', TXT);
    await create('@', NS);
  });

  it('is one at a name, with other types but CNAME, and NS at the apex only', async () => {
    await create('sub', DNAME);
    await expectMisplaced('sub', { type: 'DNAME', data: 'other.example.net.' });
    await expectMisplaced('sub', { type: 'CNAME', data: 'example.net.' });
    await expectMisplaced('sub', NS);
    await create('sub', TXT);
    await create('alias', { type: 'CNAME', data: 'example.net.' });
    await expectMisplaced('alias', DNAME);
    await create('cut', NS);
    await expectMisplaced('cut', DNAME);
  });

  it('the very same again is a duplicate', async () => {
    await create('sub', DNAME);
    await refusalOf(zone.create({ name: zone.at('SUB'), ...DNAME }), 409, 'duplicate_record');
  });

  it('gives the names below it back when it goes', async () => {
    const { id } = await create('sub', DNAME);
    await zone.delete(id);
    await create('x.sub', TXT);
  });

  it('is not slipped in by renaming', async () => {
    const { id } = await create('sub', DNAME);
    const text = await create('x.other', TXT);
    await refusalOf(zone.update(id, { name: zone.at('other') }), 400, 'invalid_recordset_location');
    await refusalOf(zone.update(text.id, { name: zone.at('x.sub') }), 400, 'invalid_recordset_location');
    await bodyOf(zone.update(id, { name: zone.at('another') }));
    await create('x.sub', TXT);
  });
});

describe('DS and NS', () => {
  it('5.10, 15.8 DS does not stand at the apex (RFC 4035 §2.4), and an import leaves it out', async () => {
    await refusalOf(zone.create({ name: zone.name, ...DS }), 400, 'invalid_recordset_location');
    expect(await zone.import(`@ DS ${DS.data}\nwww A 192.0.2.1\n`)).toMatchObject({
      created: 1,
      repairs: [{ kind: 'apex_ds' }],
    });
  });

  it('5.10 NS does not stand at a wildcard (RFC 4592 §4.2)', () => expectMisplaced('*.sub', NS));

  it('5.7 both may delegate to a domain that the service hosts, but allow no other records there', async () => {
    await newDomain(service, zone.at('child'));
    await create('child', NS);
    await create('child', DS);
    await expectMisplaced('child', TXT);
    await expectMisplaced('x.child', NS);
  });
});
