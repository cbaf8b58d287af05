import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Clock, SystemClock } from '../../src/common/clock.js';
import { ZoneTasksService } from '../../src/zone-files/tasks/zone-tasks.service.js';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { assembleTestService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, freshName, newDomain } from '../support/domain.js';
import { type Client, databaseFileIn, removeTestData, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { v2RefusalOf } from '../support/v2.js';
import { times } from '../support/length.js';

interface ImportTaskBody {
  readonly id: string;
  readonly status: string;
  readonly message: string | null;
  readonly zone_id: string | null;
}

const IMPORTS = '/v2/zones/tasks/imports';
const NOBODY = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

let service: TestService;
let owner: Client;

beforeAll(async () => {
  service = await startTestService();
  owner = service.as('importer');
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function fileOf(name: string, lines = 'www IN A 192.0.2.3\n'): string {
  return `$ORIGIN ${name}\n$TTL 300\n@ 3600 IN SOA ns1.example.net. host\\.master.${name} 7 3600 600 86400 300\n${lines}`;
}

function send(file: string | Buffer, client = owner) {
  return client.call('post', IMPORTS).set('Content-Type', 'text/dns').send(file);
}

function show(id: string, client = owner) {
  return client.call('get', `${IMPORTS}/${id}`);
}

/** The outcome of importing a file. */
async function outcomeOf(file: string | Buffer, client = owner): Promise<ImportTaskBody> {
  const { id } = await bodyOf<ImportTaskBody>(send(file, client), 202);
  return ended(id, client);
}

async function ended(id: string, client = owner): Promise<ImportTaskBody> {
  let body = await bodyOf<ImportTaskBody>(show(id, client));
  await until(async () => (body = await bodyOf<ImportTaskBody>(show(id, client))).status !== 'PENDING', 20_000);
  return body;
}

async function importedDomain(file: string, client = owner) {
  const { zone_id: id, message } = await outcomeOf(file, client);
  if (id === null) throw new Error(String(message));
  return domainOf(client, await bodyOf<DomainBody>(client.call('get', `/v1/domains/${id}`)));
}

describe('13.5 imports', () => {
  it('13.5, 15.8 says in the message of a task which repairs a file needed', async () => {
    const name = freshName();
    const file = `$ORIGIN ${name}\n@ IN SOA ns1 hostmaster 1 7200 3600 1209600 300\nwww A 192.0.2.1\n`;
    expect(await outcomeOf(file)).toMatchObject({
      status: 'COMPLETE',
      message: `${name} imported; line 2: "300": The file has no $TTL: records without a TTL take the minimum of the SOA.`,
    });
  });

  it('13.5 are answered 202 PENDING, and found COMPLETE with the zone that they have made', async () => {
    const name = freshName();
    const answer = await answerOf(send(fileOf(name)), 202);
    const { id } = answer.body as ImportTaskBody;
    const self = `${service.url}${IMPORTS}/${id}`;
    expect(answer.headers.location).toBe(self);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      zone_id: null,
      project_id: 'importer',
      status: 'PENDING',
      message: null,
      version: 1,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self },
    });
    const { zone_id: zoneId } = await ended(id);
    expect(await bodyOf(show(id))).toEqual({
      ...answer.body,
      zone_id: zoneId,
      status: 'COMPLETE',
      message: `${name} imported`,
      version: 2,
      updated_at: expect.stringMatching(TIMESTAMP),
      links: { self, zone: `${service.url}/v2/zones/${zoneId}` },
    });
    expect(await bodyOf(owner.call('get', `/v1/domains/${zoneId}`))).toMatchObject({
      name,
      email: `host.master@${name.slice(0, -1)}`,
      ttl: 3600,
    });
  });

  it('13.5 take in the records, and leave out the SOA and the name servers of the apex', async () => {
    const name = freshName();
    const lines = [
      '@ NS ns1.elsewhere.example.',
      '@ MX 10 mail',
      'mail 3600 A 192.0.2.25',
      'sub NS ns1.sub',
      'ns1.sub A 192.0.2.53',
      'txt TXT "a b" "c"',
    ];
    const domain = await importedDomain(fileOf(name, `${lines.join('\n')}\n`));
    const records = (await domain.records()).map(({ name: at, type, ttl }) => `${at} ${type} ${String(ttl)}`).sort();
    expect(records).toEqual(
      [
        `${name} MX 300`,
        `mail.${name} A null`,
        `sub.${name} NS 300`,
        `ns1.sub.${name} A 300`,
        `txt.${name} TXT 300`,
      ].sort(),
    );
  });

  it('13.5, 15.8 say in the message how many records outside the domain were left out', async () => {
    const name = freshName();
    const { status, message } = await outcomeOf(fileOf(name, 'www A 192.0.2.1\nwww.example.net. A 192.0.2.3\n'));
    expect(status).toBe('COMPLETE');
    expect(message).toContain('line 5: "www.example.net.": 1 record at a name outside the domain was left out.');
  });

  it('13.5 an export is imported again as it was, under another name server', async () => {
    const domain = await importedDomain(fileOf(freshName()));
    const text = await domain.export();
    await answerOf(owner.call('delete', `/v1/domains/${domain.id}`));
    const again = await importedDomain(text);
    const recordsOf = (file: string) => file.split('\n').filter((line) => !/^;|\tSOA\t/.test(line));
    expect(recordsOf(await again.export())).toEqual(recordsOf(text));
  });

  it.each<[string, (name: string) => string | Buffer, RegExp]>([
    ['is empty', () => '', /SOA/],
    ['is no zone file', () => '<html></html>', /SOA|fault/],
    ['is binary', () => Buffer.from([0, 1, 2, 255, 254, 10, 0]), /SOA|fault/],
    ['is UTF-16', () => Buffer.from('\ufeff$ORIGIN example.org.\n', 'utf16le'), /UTF-16/],
    ['has no SOA', (name) => `$ORIGIN ${name}\nwww A 192.0.2.1\n`, /SOA/],
    ['has an SOA that cannot be read', (name) => `$ORIGIN ${name}\n@ SOA ns1 oops\n`, /line 2/],
    ['does not say its name', () => '@ 60 IN SOA ns1 host 1 2 3 4 5\n', /\$ORIGIN/],
    ['has a record that is wrong', (name) => fileOf(name, 'www A 192.0.2.300\n'), /line 4.*A/],
    ['has a CNAME beside others', (name) => fileOf(name, 'a A 192.0.2.3\na CNAME b\n'), /line 5/],
    ['includes another file', (name) => fileOf(name, '$INCLUDE /etc/passwd\n'), /INCLUDE/],
    ['has a first record without a name', () => ' 60 IN SOA ns1 host 1 2 3 4 5\n', /\$ORIGIN/],
    ['has no mailbox', (name) => `$ORIGIN ${name}\n@ 60 SOA ns1 . 1 2 3 4 5\n`, /email/],
    ['is of a public suffix', () => fileOf('com.'), /top-level/],
  ])('13.5 a file that %s is taken, and ends in ERROR with a reason and without a zone', async (_, file, reason) => {
    const name = freshName();
    const { status, message, zone_id: zoneId } = await outcomeOf(file(name));
    expect({ status, zoneId }).toEqual({ status: 'ERROR', zoneId: null });
    expect(message).toMatch(reason);
    expect(message).not.toMatch(/SELECT|INSERT|undefined|Error:/);
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(owner.call('get', '/v1/domains'));
    expect(domains.filter((domain) => domain.name === name)).toEqual([]);
  });

  it('13.5 a name that is taken, also by others, ends in ERROR', async () => {
    const { name } = await newDomain(service.as('somebody'));
    expect(await outcomeOf(fileOf(name))).toMatchObject({ status: 'ERROR', message: expect.stringMatching(/exists/) });
    expect(await outcomeOf(fileOf(`sub.${name}`))).toMatchObject({ status: 'ERROR' });
  });

  it('8.3 applies quotas to imports', async () => {
    const limited = await startTestService({ DEFAULT__QUOTA_ZONES: '1', DEFAULT__QUOTA_ZONE_RECORDS: '2' });
    try {
      const poor = limited.as('poor');
      const many = await outcomeOf(fileOf(freshName(), 'a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\n'), poor);
      expect(many).toMatchObject({ status: 'ERROR', message: expect.stringMatching(/zone_records/) });
      expect(await outcomeOf(fileOf(freshName()), poor)).toMatchObject({ status: 'COMPLETE' });
      const second = await outcomeOf(fileOf(freshName()), poor);
      expect(second).toMatchObject({ status: 'ERROR', message: expect.stringMatching(/zones/) });
      audit(limited.databaseFile);
    } finally {
      await limited.stop();
    }
  });

  it('13.5 are text/dns, and bounded like every body', async () => {
    await v2RefusalOf(owner.call('post', IMPORTS, { zonefile: '' }), 415, 'unsupported_content_type');
    const typed = (type: string) => owner.call('post', IMPORTS).set('Content-Type', type).send(fileOf(freshName()));
    await answerOf(typed('text/dns; charset=utf-8'), 202);
    await v2RefusalOf(typed('text/plain'), 415, 'unsupported_content_type');
    const small = await startTestService({ SERVICE_API__MAX_BODY_SIZE: '1000' });
    try {
      await v2RefusalOf(send(fileOf(freshName(), ';'.repeat(1000)), small.as('x')), 413, 'payload_too_large');
    } finally {
      await small.stop();
    }
  });

  it('13.5 are listed with filters, pages and a count, for the project alone', async () => {
    const lister = service.as('lister');
    const good = await outcomeOf(fileOf(freshName()), lister);
    const bad = await outcomeOf('oops', lister);
    const list = (query: string, client = lister) =>
      bodyOf<{ imports: ImportTaskBody[] }>(client.call('get', `${IMPORTS}${query}`));
    expect(await list('')).toMatchObject({ imports: [good, bad], metadata: { total_count: 2 } });
    expect((await list('?status=ERROR')).imports).toEqual([bad]);
    expect((await list('?message=*imported')).imports).toEqual([good]);
    expect((await list(`?zone_id=${good.zone_id}`)).imports).toEqual([good]);
    expect((await list('?limit=1')).imports).toEqual([good]);
    expect((await list(`?limit=1&marker=${good.id}`)).imports).toEqual([bad]);
    expect((await list('', service.as('stranger'))).imports).toEqual([]);
    await v2RefusalOf(lister.call('get', `${IMPORTS}?name=x`), 400, 'bad_request');
  });

  it('13.5 are hidden from other projects, and missing after deletion; the zone stays', async () => {
    const { id, zone_id: zoneId } = await outcomeOf(fileOf(freshName()));
    const stranger = service.as('stranger');
    await v2RefusalOf(show(id, stranger), 404, 'zone_import_not_found');
    await v2RefusalOf(stranger.call('delete', `${IMPORTS}/${id}`), 404, 'zone_import_not_found');
    await answerOf(owner.call('delete', `${IMPORTS}/${id}`), 204);
    await v2RefusalOf(show(id), 404, 'zone_import_not_found');
    await v2RefusalOf(owner.call('delete', `${IMPORTS}/${id}`), 404, 'zone_import_not_found');
    await answerOf(owner.call('get', `/v1/domains/${zoneId}`));
    await v2RefusalOf(show('x'), 400, 'invalid_uuid');
    await v2RefusalOf(show(NOBODY), 404, 'zone_import_not_found');
    await v2RefusalOf(send(fileOf(freshName()), service.as('importer', 'reader')), 403, 'forbidden');
  });

  it('13.5 no more are under way than max_imports_per_tenant', async () => {
    const busy = await startTestService({ SERVICE_API__MAX_IMPORTS_PER_TENANT: '1' });
    try {
      const files = Array.from({ length: 6 }, () => fileOf(freshName(), 'a A 192.0.2.1\n'.repeat(2000)));
      const answers = await Promise.all(files.map((file) => send(file, busy.as('busy'))));
      expect(answers.map(({ status }) => status)).toContain(503);
      const taken = answers.filter(({ status }) => status === 202);
      expect(taken).not.toEqual([]);
      for (const { body } of taken)
        expect(await ended((body as ImportTaskBody).id, busy.as('busy'))).toMatchObject({ status: 'COMPLETE' });
      expect(await outcomeOf(fileOf(freshName()), busy.as('busy'))).toMatchObject({ status: 'COMPLETE' });
    } finally {
      await busy.stop();
    }
  });
});

describe('13.5 imports of anything', () => {
  const WORDS = [
    '$ORIGIN',
    '$TTL',
    '$GENERATE',
    '1-3',
    '@',
    'SOA',
    'NS',
    'A',
    'TXT',
    'IN',
    '(',
    ')',
    '"',
    ';',
    '\\',
    '\\#',
    '.',
  ];
  const word = fc.oneof(fc.constantFrom(...WORDS, '1', '192.0.2.1', 'www', 'a.example.org.', '\n', '\t'), fc.string());
  const text = fc.array(word, { maxLength: 40 }).map((words) => Buffer.from(words.join(' ')));
  const octets = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

  it('13.5 are taken, and end with a message for people', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, octets), async (file) => {
        const { status, message } = await outcomeOf(file, service.as('anything'));
        expect(['COMPLETE', 'ERROR']).toContain(status);
        expect(message).toMatch(/^\S/);
        expect(message).not.toMatch(/failed unexpectedly|SQLITE|syntax error at or near/);
      }),
      { numRuns: times(30, 150) },
    );
  });
});

describe('13.5 the end of imports after any failure', () => {
  const LARGE = Array.from({ length: 8000 }, (_, at) => `host-${at} A 192.0.2.1\n`).join('');

  it.each(['deleted', 'stopped'])(
    '13.5 one that is %s meanwhile has made all of its zone or nothing',
    async (how) => {
      const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
      try {
        const short = await startTestService({}, directory);
        const { id } = await bodyOf<ImportTaskBody>(send(fileOf(freshName(), LARGE), short.as('x')), 202);
        if (how === 'deleted') await answerOf(short.as('x').call('delete', `${IMPORTS}/${id}`), 204);
        await short.stop();
        const { task, zones } = lookInto(databaseFileIn(directory), ({ rows }) => ({
          task: rows<{ status: string; message: string }>('SELECT status, message FROM zone_tasks'),
          zones: rows<{ records: number }>('SELECT record_count AS records FROM zones'),
        }));
        if (how === 'deleted') expect(task).toEqual([]);
        else expect(task[0]!.status).toBe(zones.length === 0 ? 'ERROR' : 'COMPLETE');
        if (zones.length === 0 && how === 'stopped') expect(task[0]!.message).toMatch(/stopped/);
        if (zones.length > 0) expect(zones).toEqual([{ records: 8000 }]);
        audit(databaseFileIn(directory));
      } finally {
        await removeTestData(directory);
      }
    },
    120_000,
  );

  it('13.5 an abandoned one becomes ERROR a little later', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    try {
      await (await startTestService({}, directory)).stop();
      const task = { id: NOBODY, kind: 'import', tenant_id: 'x', status: 'PENDING', renewals: 3, version: 1 };
      const left = { zone_tasks: [{ ...task, created_at: Date.now() * 1000 }] };
      storeRows(databaseFileIn(directory), left, 'SELECT 1');
      const restarted = await startTestService({}, directory);
      const outcome = await ended(NOBODY, restarted.as('x'));
      expect(outcome).toMatchObject({ status: 'ERROR', zone_id: null, message: expect.stringMatching(/stopped/) });
      await restarted.stop();
    } finally {
      await removeTestData(directory);
    }
  });

  it('13.5 imports and exports are kept for a day', async () => {
    const clock = new MovableClock();
    const assembled = await assembleTestService({ clock });
    try {
      const client = assembled.as('x');
      const { id } = await outcomeOf(fileOf(freshName()), client);
      clock.ahead = 23.9 * 3600 * 1_000_000;
      await assembled.get(ZoneTasksService).removeSome();
      await answerOf(show(id, client));
      clock.ahead = 24.1 * 3600 * 1_000_000;
      await assembled.get(ZoneTasksService).removeSome();
      await v2RefusalOf(show(id, client), 404, 'zone_import_not_found');
    } finally {
      await assembled.stop();
    }
  });
});

class MovableClock extends Clock {
  ahead = 0;
  private readonly system = new SystemClock();

  override now(): number {
    return Math.floor(this.system.now() + this.ahead);
  }
}
