import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit, contentsOf } from '../support/audit.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

/** Expects a refusal without any database change. */
async function expectRefused(record: object, status: number, type: string): Promise<void> {
  const before = contentsOf(service.databaseFile);
  await refusalOf(domain.create(record), status, type);
  expect(contentsOf(service.databaseFile)).toEqual(before);
}

const misplaced = (record: object): Promise<void> => expectRefused(record, 400, 'invalid_recordset_location');
const duplicate = (record: object): Promise<void> => expectRefused(record, 409, 'duplicate_record');

describe('duplicates', () => {
  it.each([
    ['A', '192.0.2.1', null, ['192.0.2.1']],
    [
      'AAAA',
      '2001:db8::1',
      null,
      ['2001:DB8::1', '2001:db8:0::1', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::0.0.0.1'],
    ],
    ['AAAA', '::ffff:192.0.2.1', null, ['::ffff:c000:201', '0:0:0:0:0:FFFF:192.0.2.1']],
    ['MX', 'mail.example.org.', 10, ['MAIL.example.org.', '\\109ail.example.org.']],
    ['NS', 'ns.example.org.', null, ['NS.Example.Org.']],
    ['PTR', 'www.example.org.', null, ['WWW.EXAMPLE.ORG.', '\\119ww.example.org.']],
    ['SRV', '1 2 sip.example.org.', 10, ['1 2 SIP.example.org.']],
    ['SSHFP', `1 1 ${'ab'.repeat(20)}`, null, [`1 1 ${'AB'.repeat(20)}`]],
    ['TXT', 'same text', null, ['"same text"', '"same\\032text"']],
    ['SPF', 'v=spf1 -all', null, ['"v=spf1 -all"']],
  ])('5.5 %s %j is the same however it is spelled', async (type, data, priority, spellings) => {
    const name = domain.at(type === 'SRV' ? '_sip._tcp' : 'Same');
    const { id } = await bodyOf(domain.create({ name, type, data, priority }));
    for (const spelling of [data, ...spellings])
      for (const spelledName of [name, name.toUpperCase()])
        await duplicate({ name: spelledName, type, data: spelling, priority });
    expect(await domain.records()).toMatchObject([{ id, name, data }]);
  });

  it.each([
    ['A', '192.0.2.1', '192.0.2.2'],
    ['AAAA', '::1', '::2'],
    ['TXT', 'text', 'TEXT'],
    ['TXT', 'ab', '"a" "b"'],
    ['TXT', 'a', '"a" ""'],
    ['SPF', 'v=spf1 -all', 'v=spf1 ~all'],
    ['NS', 'ns1.example.org.', 'ns2.example.org.'],
    ['PTR', 'a.example.org.', 'b.example.org.'],
    ['SSHFP', `1 1 ${'ab'.repeat(20)}`, `2 1 ${'ab'.repeat(20)}`],
  ])('5.5 %s %j and %j are two', async (type, one, other) => {
    for (const data of [one, other]) await bodyOf(domain.create({ name: domain.at('two'), type, data }));
  });

  it('5.5 the priority distinguishes two records', async () => {
    for (const priority of [10, 20]) {
      await bodyOf(domain.create({ name: domain.at('mx'), type: 'MX', data: 'mail.example.org.', priority }));
      await bodyOf(domain.create({ name: domain.at('_s._tcp'), type: 'SRV', data: '0 1 h.example.org.', priority }));
    }
    await duplicate({ name: domain.at('mx'), type: 'MX', data: 'mail.example.org.', priority: 20 });
  });

  it('5.5 ttl and description do not distinguish two records', async () => {
    const record = { name: domain.at('ttl'), type: 'A', data: '192.0.2.1' };
    await bodyOf(domain.create(record));
    await duplicate({ ...record, ttl: 60, description: 'another' });
  });

  it('5.5 finds duplicates in long data', async () => {
    const record = { name: domain.at('long'), type: 'TXT', data: 't'.repeat(5000) };
    await bodyOf(domain.create(record));
    await duplicate({
      ...record,
      data: `"${'t'.repeat(255)}"${` "${'t'.repeat(255)}"`.repeat(18)} "${'t'.repeat(155)}"`,
    });
    await bodyOf(domain.create({ ...record, data: `${'t'.repeat(4999)}u` }));
  });

  it('5.5 counts the same record of another domain, name or type for itself', async () => {
    const other = await newDomain(service);
    await bodyOf(domain.create({ name: domain.at('a'), type: 'TXT', data: 'text' }));
    await bodyOf(domain.create({ name: domain.at('b'), type: 'TXT', data: 'text' }));
    await bodyOf(domain.create({ name: domain.at('a'), type: 'SPF', data: 'text' }));
    await bodyOf(other.create({ name: other.at('a'), type: 'TXT', data: 'text' }));
  });

  it('5.5 frees a value with the record that had it', async () => {
    const record = { name: domain.at('free'), type: 'A', data: '192.0.2.1' };
    const { id } = await bodyOf(domain.create(record));
    await domain.delete(id).expect(200);
    const again = await bodyOf(domain.create(record));
    await bodyOf(domain.update(again.id, { data: '192.0.2.2' }));
    await bodyOf(domain.create(record));
  });
});

describe('CNAME', () => {
  const alias = (fields: object = {}) => ({
    name: domain.at('alias'),
    type: 'CNAME',
    data: 'www.example.org.',
    ...fields,
  });
  const address = (fields: object = {}) => ({ name: domain.at('alias'), type: 'A', data: '192.0.2.1', ...fields });

  it('5.6 is refused at the apex', async () => {
    await misplaced(alias({ name: domain.name }));
    await misplaced(alias({ name: domain.name.toUpperCase() }));
  });

  it.each([
    ['A', '192.0.2.1', null],
    ['AAAA', '::1', null],
    ['MX', 'mail.example.org.', 10],
    ['TXT', 'text', null],
    ['NS', 'ns.example.org.', null],
    ['PTR', 'www.example.org.', null],
    ['SPF', 'v=spf1 -all', null],
    ['SSHFP', `1 1 ${'ab'.repeat(20)}`, null],
  ])('5.6 conflicts with %s in either order', async (type, data, priority) => {
    await bodyOf(domain.create({ name: domain.at('first'), type, data, priority }));
    await misplaced(alias({ name: domain.at('First') }));
    await bodyOf(domain.create(alias()));
    await misplaced({ name: domain.at('ALIAS'), type, data, priority });
  });

  it('5.6 is single at a name; an equal one is a duplicate', async () => {
    await bodyOf(domain.create(alias()));
    await misplaced(alias({ data: 'other.example.org.' }));
    await duplicate(alias());
    await duplicate(alias({ name: domain.at('ALIAS'), data: 'WWW.example.org.' }));
  });

  it('5.6 may be a wildcard, and point at itself', async () => {
    await bodyOf(domain.create(alias({ name: domain.at('*') })));
    await bodyOf(domain.create(address({ name: domain.at('other') })));
    await bodyOf(domain.create(alias({ name: domain.at('loop'), data: domain.at('loop') })));
  });

  it('5.6 makes room when it is deleted or renamed', async () => {
    const { id } = await bodyOf(domain.create(alias()));
    await bodyOf(domain.update(id, { name: domain.at('moved') }));
    const { id: addressId } = await bodyOf(domain.create(address()));
    await refusalOf(domain.update(id, { name: domain.at('alias') }), 400, 'invalid_recordset_location');
    await domain.delete(addressId).expect(200);
    await bodyOf(domain.update(id, { name: domain.at('alias') }));
    await domain.delete(id).expect(200);
    await bodyOf(domain.create(address()));
  });

  it('5.6 holds for updates as for new records', async () => {
    const { id } = await bodyOf(domain.create(alias()));
    const { id: addressId } = await bodyOf(domain.create(address({ name: domain.at('www') })));
    const { id: otherId } = await bodyOf(domain.create(alias({ name: domain.at('other') })));
    const before = contentsOf(service.databaseFile);
    await refusalOf(domain.update(id, { name: domain.name }), 400, 'invalid_recordset_location');
    await refusalOf(domain.update(id, { name: domain.at('WWW') }), 400, 'invalid_recordset_location');
    await refusalOf(domain.update(addressId, { name: domain.at('ALIAS') }), 400, 'invalid_recordset_location');
    await refusalOf(
      domain.update(otherId, { name: domain.at('alias'), data: 'x.example.org.' }),
      400,
      'invalid_recordset_location',
    );
    await refusalOf(domain.update(otherId, { name: domain.at('alias') }), 409, 'duplicate_record');
    expect(contentsOf(service.databaseFile)).toEqual(before);
    await bodyOf(domain.update(id, { data: 'x.example.org.', name: domain.at('ALIAS') }));
  });
});

describe('a null MX (RFC 7505 §3)', () => {
  const mx = (data: string, priority: number, label = 'mail') => ({
    name: domain.at(label),
    type: 'MX',
    data,
    priority,
  });

  it('5.11 stands alone', async () => {
    await bodyOf(domain.create(mx('.', 0)));
    await misplaced(mx('mail.example.org.', 0));
    await duplicate(mx('.', 0));
    await bodyOf(domain.create(mx('mail.example.org.', 10, 'other')));
    await misplaced(mx('.', 0, 'other'));
  });

  it.each([0, 10])('5.11 stands alone with priority %d, and rejects another null MX', async (priority) => {
    await bodyOf(domain.create(mx('.', priority)));
    await misplaced(mx('mail.example.org.', priority));
    await misplaced(mx('.', priority + 1));
    await duplicate(mx('.', priority));
    await bodyOf(domain.create(mx('a.example.org.', 1, 'other')));
    await bodyOf(domain.create(mx('b.example.org.', 1, 'other')));
    await misplaced(mx('.', priority, 'other'));
  });

  it('5.11 can change its priority', async () => {
    const { id } = await bodyOf(domain.create(mx('.', 0)));
    await bodyOf(domain.update(id, { priority: 10 }));
    await misplaced(mx('mail.example.org.', 10));
  });

  it('5.11 stands alone after updates too', async () => {
    const { id } = await bodyOf(domain.create(mx('a.example.org.', 10)));
    await bodyOf(domain.update(id, { data: '.', priority: 0 }));
    await bodyOf(domain.update(id, { data: 'a.example.org.' }));
    await bodyOf(domain.create(mx('b.example.org.', 10)));
    await refusalOf(domain.update(id, { data: '.', priority: 0 }), 400, 'invalid_recordset_location');
  });
});

describe('a DNAME (RFC 6672 §2.3, §2.4)', () => {
  const dname = (label: string) => ({ name: domain.at(label), type: 'DNAME', data: 'elsewhere.example.net.' });
  const address = (label: string) => ({ name: domain.at(label), type: 'A', data: '192.0.2.1' });

  it('5.10 allows no records below it, in either order', async () => {
    await bodyOf(domain.create(dname('tree')));
    await misplaced(address('www.tree'));
    await bodyOf(domain.create(address('tree')));
    await bodyOf(domain.create(address('www.other')));
    await misplaced(dname('other'));
    await misplaced({ ...dname('other'), name: domain.name });
  });

  it('5.10 is single at a name', async () => {
    await bodyOf(domain.create(dname('tree')));
    await duplicate(dname('TREE'));
    await misplaced({ ...dname('tree'), data: 'other.example.net.' });
  });

  it('5.10 is refused at a zone cut, in either order', async () => {
    const ns = (label: string) => ({ name: domain.at(label), type: 'NS', data: 'ns.example.net.' });
    await bodyOf(domain.create(dname('tree')));
    await misplaced(ns('tree'));
    await bodyOf(domain.create(ns('cut')));
    await misplaced(dname('cut'));
  });

  it('5.7 can be renamed up and down its own branch', async () => {
    const { id } = await bodyOf(domain.create(dname('b.a')));
    await bodyOf(domain.update(id, { name: domain.at('a') }));
    await bodyOf(domain.update(id, { name: domain.at('c.b.a') }));
    await bodyOf(domain.create(address('b.a')));
  });
});

describe('where a name may lie', () => {
  it('5.7 inside its domain, the apex included', async () => {
    await bodyOf(domain.create({ name: domain.name, type: 'A', data: '192.0.2.1' }));
    await bodyOf(domain.create({ name: domain.at('deep.below').toUpperCase(), type: 'A', data: '192.0.2.1' }));
  });

  it.each([
    ['next to it', () => 'www.example.net.'],
    ['above it', () => 'example.org.'],
    ['the root of another tree', () => 'org.'],
    ['a name that only ends alike', () => `x${domain.name}`],
    ['a name that only begins alike', () => `${domain.name}example.net.`],
  ])('5.7 not %s', async (_, nameOf) => {
    await misplaced({ name: nameOf(), type: 'TXT', data: 'text' });
    const { id } = await bodyOf(domain.create({ name: domain.at('stay'), type: 'TXT', data: 'text' }));
    await refusalOf(domain.update(id, { name: nameOf() }), 400, 'invalid_recordset_location');
  });

  it('5.7 not inside a child domain that the service manages too', async () => {
    const child = await newDomain(service, domain.at('child'));
    await misplaced({ name: child.name, type: 'A', data: '192.0.2.1' });
    await misplaced({ name: child.at('www').toUpperCase(), type: 'A', data: '192.0.2.1' });
    await misplaced({ name: child.at('*'), type: 'A', data: '192.0.2.1' });
    await bodyOf(domain.create({ name: domain.at('xchild'), type: 'A', data: '192.0.2.1' }));
    const { id } = await bodyOf(domain.create({ name: domain.at('stay'), type: 'A', data: '192.0.2.1' }));
    await refusalOf(domain.update(id, { name: child.at('www') }), 400, 'invalid_recordset_location');
    await bodyOf(child.create({ name: child.at('www'), type: 'A', data: '192.0.2.1' }));
    await service.call('delete', `/v1/domains/${child.id}`).expect(200);
    await bodyOf(domain.update(id, { name: child.at('www') }));
  });

  it('5.7 lets the parent delegate to the child: NS at its apex (RFC 1034 §4.2.1)', async () => {
    const child = await newDomain(service, domain.at('child'));
    await bodyOf(domain.create({ name: child.name, type: 'NS', data: 'ns.example.net.' }));
    await misplaced({ name: child.at('below'), type: 'NS', data: 'ns.example.net.' });
  });

  it('5.10 case 28: NS is refused at a wildcard, and DS at the apex', async () => {
    await misplaced({ name: domain.at('*'), type: 'NS', data: 'ns.example.net.' });
    const ds = { type: 'DS', data: `60485 5 1 ${'ab'.repeat(20)}` };
    await misplaced({ ...ds, name: domain.name });
    await bodyOf(domain.create({ ...ds, name: domain.at('cut') }));
  });
});
