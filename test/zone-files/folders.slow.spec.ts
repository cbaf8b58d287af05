import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { FolderTest, summaryOf } from '../support/zone-folder.js';

let test: FolderTest;
let zone: TestDomain;
/** The name of the zone without the final dot. */
let name: string;

beforeAll(async () => {
  test = await FolderTest.start({ SERVICE_API__EXPIRING_RECORDS: 'true' });
});
afterAll(async () => {
  audit(test.service.databaseFile);
  await test.stop();
});
beforeEach(async () => {
  zone = await newDomain(test.service);
  name = zone.name.slice(0, -1);
  await zone.import('www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\nmail 300 A 192.0.2.3\nold 300 TXT "old"\n');
});

const FILE = 'www 300 A 192.0.2.1\nwww 300 A 192.0.2.9\nmail 60 A 192.0.2.3\nold 300 TXT "old"\n';

describe('plan', () => {
  it('17.8 draws the changes, exits with 2 and stores nothing', async () => {
    const dir = await test.folder('d', { [`${name}.zone`]: FILE });
    const before = contentsOf(test.service.databaseFile);
    const ended = await test.run('plan', dir);
    expect(ended).toEqual({
      code: 2,
      stdout: [
        `--- ${zone.name} serial ${(await zone.now()).serial}`,
        `+++ ${name}.zone`,
        `-www.${zone.name} 300 A 192.0.2.2`,
        `+www.${zone.name} 300 A 192.0.2.9`,
        `-mail.${zone.name} 300 A 192.0.2.3`,
        `+mail.${zone.name} 60 A 192.0.2.3`,
        '0 zones to create, 1 to change, 0 unchanged, 0 refused; records: 1 to add, 1 to change, 1 to delete',
        '',
      ].join('\n'),
      stderr: '',
    });
    expect(contentsOf(test.service.databaseFile) === before).toBe(true);
  });

  it('17.8 exits with 0 without a change, and with 1 if one zone is refused', async () => {
    const other = await newDomain(test.service);
    const files = { [`${other.name.slice(0, -1)}.zone`]: '@ 300 TXT "a"\n', [`${name}.zone`]: 'www A 192.0.2.256\n' };
    const ended = await test.run('plan', await test.folder('d', files));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(`+${other.name} 300 TXT "a"`);
    expect(ended.stderr).toMatch(new RegExp(`^d/${name}\\.zone:1:7: .*192\\.0\\.2\\.256.*\n$`));
    expect(summaryOf(ended)).toContain('1 to change, 0 unchanged, 1 refused');
    await other.import('@ 300 TXT "a"\n');
    expect((await test.run('plan', await test.folder('d', { [`${other.name}zone`]: '@ 300 TXT "a"\n' }))).code).toBe(0);
  });

  it('17.8 shows findings and repairs at their lines', async () => {
    const ended = await test.run(
      'plan',
      await test.folder('d', { [`${name}.zone`]: `${FILE}@ 60 MX 10 mx\nx.example. A 192.0.2.1\n` }),
    );
    expect(ended.stdout).toContain(`d/${name}.zone:6: note: 1 record at a name outside the domain was left out.`);
    expect(ended.stdout).toMatch(new RegExp(`d/${name}\\.zone:5: warning: ${name}\\. MX: mx\\.`));
  });

  it('17.8 --json and --markdown report the same, and text of records stays in its code block', async () => {
    const text = '"``` </details> | @someone"';
    const dir = await test.folder('d', { [`${name}.zone`]: `${FILE}new 60 TXT ${text}\n`, 'bad.example.zone': '' });
    const json = await test.run('plan', dir, '--json');
    const { zones, summary } = JSON.parse(json.stdout) as { zones: Record<string, unknown>[]; summary: unknown };
    expect(summary).toEqual({
      zones: { create: 0, change: 1, unchanged: 0, refused: 1 },
      records: { add: 2, change: 1, delete: 1 },
      labels: 0,
    });
    const { changes, ...rest } = zones.find(({ action }) => action === 'change')!;
    expect(rest).toMatchObject({ name: zone.name, file: `${name}.zone`, add: 2, errors: [], applied_serial: null });
    expect(changes).toContainEqual({
      ...{ action: 'update', name: `mail.${zone.name}`, type: 'A' },
      ...{ before: { ttl: 300, data: '192.0.2.3' }, after: { ttl: 60, data: '192.0.2.3' } },
    });
    const markdown = await test.run('plan', dir, '--markdown');
    expect([json.code, markdown.code]).toEqual([1, 1]);
    expect(markdown.stdout).toContain(`| \`${zone.name}\` | 2 | 1 | 1 | change |`);
    expect(markdown.stdout).toContain('| `bad.example.` | 0 | 0 | 0 | refused |');
    const [, fence, block = ''] = /\n(`{4,})diff\n([^]*?)\n\1\n/.exec(markdown.stdout) ?? [];
    expect(fence).toBe('````');
    expect(block).toContain(text);
    expect(markdown.stdout.replace(block, '')).not.toContain('@someone');
  });

  it('17.8 a comment has at most 60,000 characters and says what it lacks', async () => {
    const lines = Array.from({ length: 2000 }, (_, at) => `n${at} 60 TXT "${'x'.repeat(100)}"\n`);
    const ended = await test.run(
      'plan',
      await test.folder('d', { [`${name}.zone`]: FILE + lines.join('') }),
      '--markdown',
    );
    expect(ended.stdout.length).toBeLessThan(60_000);
    expect(ended.stdout).toContain('Cut: 1 parts are too long');
  });
});

describe('apply', () => {
  it('17.9 stores each zone in one change with one serial and the message', async () => {
    const before = await zone.now();
    const dir = await test.folder('d', { [`${name}.zone`]: FILE });
    const ended = await test.run('apply', dir, '--message', 'Merge request 7');
    const after = await zone.now();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(
      `stored in ${zone.name}: 1 to add, 1 to change, 1 to delete; serial ${after.serial}`,
    );
    expect(after.serial).toBeGreaterThan(before.serial);
    const { history } = await bodyOf<{ history: { serial: number; change_id: string; message: string | null }[] }>(
      test.service.call('get', `/v1/domains/${zone.id}/history`),
    );
    const entries = history.filter(({ serial }) => serial > before.serial);
    expect(new Set(entries.map(({ change_id }) => change_id)).size).toBe(1);
    expect(entries.map(({ message }) => message)).toContain('Merge request 7');
    expect(await test.run('apply', dir)).toMatchObject({ code: 0 });
    expect((await zone.now()).serial).toBe(after.serial);
  });

  it('17.7 creates zones with --create only, for the tenant, from the SOA of the file or with --email', async () => {
    const [soa, plain] = [freshName(), freshName()];
    const files = {
      [`${soa}zone`]: '$TTL 1h\n@ SOA ns h.example.net. 1 2 3 4 5\nwww A 192.0.2.1\n',
      [`${plain}yaml`]: 'www: {type: A, value: 192.0.2.1}\n',
    };
    const dir = await test.folder('d', files);
    const refused = await test.run('apply', dir);
    expect([refused.code, refused.stderr.match(/create it with --create/g)?.length]).toEqual([1, 2]);
    const half = await test.run('apply', dir, '--create');
    expect(half).toMatchObject({ code: 1, stderr: expect.stringContaining('or --email') });
    const done = await test.run('apply', dir, '--create', '--email', 'a@example.com', '--tenant', 'tenant-a');
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to the tenant admin') });
    const { domains } = await bodyOf<{ domains: { name: string; email: string }[] }>(
      test.service.as('tenant-a').call('get', '/v1/domains'),
    );
    expect(domains).toContainEqual(expect.objectContaining({ name: plain, email: 'a@example.com' }));
    const { stdout } = await test.run('zone', 'export', soa);
    expect(stdout).toContain(' h.example.net. ');
    expect(await test.run('plan', dir)).toMatchObject({ code: 0 });
  });

  it('17.7 leaves zones outside the folder, and expiring and generated records, as they are', async () => {
    const other = await newDomain(test.service);
    await other.import('a 60 A 192.0.2.1\n');
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    await zone.newRecord({ name: zone.at('_acme-challenge'), type: 'TXT', data: '"token"', expires_at: expires });
    const dir = await test.folder('d', { [`${name}.zone`]: FILE });
    expect((await test.run('apply', dir)).code).toBe(0);
    const names = (await zone.records()).map((record) => record.name);
    expect(names).toContain(zone.at('_acme-challenge'));
    expect(await zone.export()).toMatch(/\tNS\t/);
    expect(await other.records()).toHaveLength(1);
    expect(await test.run('plan', dir)).toMatchObject({ code: 0 });
    await test.run('export', 'e', name);
    expect(await readFile(join(test.directory, 'e', `${name}.zone`), 'utf8')).not.toContain('_acme-challenge');
    expect(await test.run('plan', 'e')).toMatchObject({ code: 0 });
  });

  it('17.7 --tenant refuses a zone of another tenant', async () => {
    const dir = await test.folder('d', { [`${name}.zone`]: FILE });
    const ended = await test.run('apply', dir, '--tenant', 'tenant-b');
    expect(ended).toMatchObject({
      code: 1,
      stderr: `d/${name}.zone: ${zone.name} belongs to the tenant tenant-a, not to tenant-b\n`,
    });
    expect(await zone.records()).toHaveLength(4);
  });
});

describe('apply --plan', () => {
  it('17.9 refuses zones and files that have changed since the plan, and stores the others', async () => {
    const added = freshName();
    const [edited, fresh] = [await newDomain(test.service), await newDomain(test.service)];
    const files: Record<string, string> = { [`${name}.zone`]: FILE };
    for (const { name: other } of [edited, fresh]) files[`${other}zone`] = 'www 60 A 192.0.2.1\n';
    await test.folder('d', files);
    expect((await test.run('plan', 'd', '--out', 'plan.json')).code).toBe(2);
    expect(await readFile(join(test.directory, 'plan.json'), 'utf8')).not.toContain('192.0.2.1');

    await zone.newRecord({ name: zone.at('meanwhile') });
    await test.folder('d', {
      ...files,
      [`${edited.name}zone`]: 'www 60 A 192.0.2.2\n',
      [`${added}zone`]: '@ 60 A 192.0.2.1\n',
    });
    const ended = await test.run(
      'apply',
      'd',
      '--plan',
      'plan.json',
      '--max-deletes',
      '100%',
      '--create',
      '--email',
      'a@b.org',
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr.trimEnd().split('\n').toSorted()).toEqual(
      [
        `${zone.name} has changed since the plan: plan again`,
        `the file of ${edited.name} has changed since the plan: plan again`,
        `${added} is not in the plan: plan again`,
      ].toSorted(),
    );
    expect(summaryOf(ended)).toContain('0 zones created, 1 changed, 0 unchanged, 3 refused; records: 1 added');
    expect((await fresh.records()).map(({ data }) => data)).toEqual(['192.0.2.1']);
    expect(await edited.records()).toEqual([]);
    expect((await zone.records()).map(({ data }) => data)).toContain('192.0.2.2');
  });

  it('17.9 refuses a file that is no plan', async () => {
    const dir = await test.folder('d', { [`${name}.zone`]: FILE, 'plan.json': '{"zonewright_plan":1,"zones":[{}]}' });
    expect(await test.run('apply', dir, '--plan', 'd/plan.json')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('--max-deletes', () => {
  it('17.8 refuses a zone that would lose more records, in plan and apply', async () => {
    await zone.import(Array.from({ length: 16 }, (_, at) => `n${at} 60 A 192.0.2.1\n`).join(''));
    const left = Array.from({ length: 10 }, (_, at) => `n${at} 60 A 192.0.2.1\n`).join('');
    const dir = await test.folder('d', { [`${name}.zone`]: FILE + left });
    const message = `d/${name}.zone: deletes 6 of 20 records, and --max-deletes 25% allows 5: check the file, or raise --max-deletes\n`;
    for (const command of ['plan', 'apply'])
      expect(await test.run(command, dir, '--max-deletes', '25%')).toMatchObject({ code: 1, stderr: message });
    expect(await zone.records()).toHaveLength(20);
    expect(await test.run('apply', dir, '--max-deletes', '5')).toMatchObject({ code: 1 });
    expect(await test.run('apply', dir)).toMatchObject({ code: 0 });
    expect(await zone.records()).toHaveLength(14);
  });

  it('17.8 a replaced record is not lost, a percentage allows one record, and 0% none', async () => {
    const dir = await test.folder('d', { [`${name}.zone`]: FILE.replace('old 300 TXT "old"\n', '') });
    expect(await test.run('plan', dir, '--max-deletes', '0%')).toMatchObject({ code: 1 });
    expect(await test.run('plan', dir, '--max-deletes', '1%')).toMatchObject({ code: 2 });
    expect(await test.run('plan', dir, '--max-deletes', '101%')).toMatchObject({ code: 1, stdout: '' });
    const replaced = await test.folder('d', { [`${name}.zone`]: FILE });
    expect(await test.run('plan', replaced, '--max-deletes', '0')).toMatchObject({ code: 2 });
  });
});
