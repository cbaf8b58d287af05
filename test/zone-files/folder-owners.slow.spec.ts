import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { add, newUpdateKey, TAKES_UPDATES, tsigKeyOf, Updater } from '../support/updates.js';
import { FolderTest, summaryOf } from '../support/zone-folder.js';

let test: FolderTest;
let zone: TestDomain;
/** The name of the zone without the final dot. */
let name: string;

beforeAll(async () => {
  test = await FolderTest.start({ ...TAKES_UPDATES, SERVICE_API__EXPIRING_RECORDS: 'true' });
});
afterAll(async () => {
  audit(test.service.databaseFile);
  await test.stop();
});
beforeEach(async () => {
  zone = await newDomain(test.service);
  name = zone.name.slice(0, -1);
});

interface LabelsBody {
  readonly record_sets: readonly { readonly name: string; readonly type: string; readonly labels: object }[];
}

/** `www A web`: the record sets with an owner. */
async function owned(of = zone): Promise<string[]> {
  const path = `/v1/domains/${of.id}/labels?label=owner&limit=200`;
  const { record_sets: sets } = await bodyOf<LabelsBody>(test.service.call('get', path));
  return sets
    .map((set) => `${set.name.replace(`.${of.name}`, '')} ${set.type} ${Object.values(set.labels).join(' ')}`)
    .toSorted();
}

/** `www A 192.0.2.1`: the records of the zone. */
async function records(of = zone): Promise<string[]> {
  const all = await of.records();
  return all.map((one) => `${one.name.replace(`.${of.name}`, '')} ${one.type} ${one.data}`).toSorted();
}

const folder = (dir: string, text: string): Promise<string> => test.folder(dir, { [`${name}.zone`]: text });
const as = (owner: string, command: string, dir: string, ...args: string[]) =>
  test.run(command, dir, '--owner', owner, ...args);

describe('two owners of one zone', () => {
  it('17.14 keep their own record sets, and those of other clients, over several runs', async () => {
    await zone.newRecord({ name: zone.at('hand'), data: '192.0.2.7' });
    await folder('web', 'www 300 A 192.0.2.1\napi 300 A 192.0.2.2\nold 300 TXT "web"\n');
    await folder('mail', '@ 300 MX 10 mx\nmx 300 A 192.0.2.3\n');
    expect(await as('web', 'apply', 'web')).toMatchObject({ code: 0, stderr: '' });
    expect(await as('mail', 'apply', 'mail')).toMatchObject({ code: 0, stderr: '' });

    const { port } = new URL(test.service.running.dnsUrl ?? '');
    const updater = new Updater({ port: Number(port) }, tsigKeyOf(await newUpdateKey(test.service)));
    expect(await updater.update(zone.name, { updates: [add(zone.at('host'), 60, 'A', '192.0.2.8')] })).toBe('NOERROR');
    await zone.newRecord({ name: zone.at('by-hand'), type: 'TXT', data: '"v1"' });
    await folder('web', 'www 300 A 192.0.2.9\napi 300 A 192.0.2.2\n');
    expect(await as('web', 'apply', 'web')).toMatchObject({ code: 0, stderr: '' });
    await folder('mail', '@ 300 MX 10 mx\n@ 300 MX 20 mx\nmx 300 A 192.0.2.3\n'.replace('20 mx', '20 mx2'));
    expect(await as('mail', 'apply', 'mail')).toMatchObject({ code: 0, stderr: '' });

    for (const owner of ['web', 'mail']) expect(await as(owner, 'plan', owner)).toMatchObject({ code: 0 });
    expect(await records()).toEqual(
      [
        ...['by-hand TXT "v1"', 'hand A 192.0.2.7', 'host A 192.0.2.8'],
        ...['www A 192.0.2.9', 'api A 192.0.2.2', 'mx A 192.0.2.3'],
        ...[`${zone.name} MX mx.${zone.name}`, `${zone.name} MX mx2.${zone.name}`],
      ].toSorted(),
    );
    const mine = [`${zone.name} MX mail`, 'api A web', 'mx A mail', 'www A web'];
    expect(await owned()).toEqual(mine.toSorted());
  });

  it('17.14 cannot change sets of each other, not even with --adopt', async () => {
    await as('web', 'apply', await folder('web', 'www 300 A 192.0.2.1\n'));
    const before = contentsOf(test.service.databaseFile);
    await folder('mail', '; mine\nmx 300 A 192.0.2.3\nwww 300 A 192.0.2.2\n');
    const message = `mail/${name}.zone:3:1: www.${zone.name} A belongs to web, and the file differs: leave it out.\n`;
    for (const args of [[], ['--adopt']])
      for (const command of ['plan', 'apply'])
        expect(await as('mail', command, 'mail', ...args)).toMatchObject({ code: 1, stderr: message });
    expect(contentsOf(test.service.databaseFile) === before).toBe(true);
    const same = await as('mail', 'apply', await folder('mail', 'www 300 A 192.0.2.1\nmx 300 A 192.0.2.3\n'));
    expect(same).toMatchObject({ code: 0, stderr: '' });
    expect(same.stdout).toContain(
      `mail/${name}.zone:1: note: left alone: 1 record of other owners, first www.${zone.name} A of web; leave the sets out of the file\n`,
    );
    expect(await owned()).toEqual(['mx A mail', 'www A web']);
    expect(await as('mail', 'plan', await folder('mail', '@ 300 TXT "none left"\n'))).toMatchObject({ code: 2 });
  });
});

describe('apply --owner', () => {
  it('17.14 labels new sets and a new zone in their change, and reads the labels back', async () => {
    const fresh = freshName();
    const text = '$TTL 300\n@ SOA ns h.example.net. 1 2 3 4 5\nwww A 192.0.2.1\nwww A 192.0.2.2\n@ MX 10 www\n';
    const dir = await test.folder('n', { [`${fresh}zone`]: text });
    const planned = await as('web', 'plan', dir, '--create', '--tenant', 'tenant-a');
    expect(planned.stdout).toContain(`+www.${fresh} A label owner=web\n`);
    expect(summaryOf(planned)).toContain('records: 3 to add, 0 to change, 0 to delete; record sets: 2 to label');
    expect(await as('web', 'apply', dir, '--create', '--tenant', 'tenant-a')).toMatchObject({ code: 0, stderr: '' });
    const { domains } = await bodyOf<{ domains: (TestDomain & { labels: object })[] }>(
      test.service.call('get', `/v1/domains?label=owner=web&name=${fresh}`),
    );
    expect(domains[0]).toMatchObject({ name: fresh, labels: { owner: 'web' } });
    expect(await owned(domains[0])).toEqual([`${fresh} MX web`, 'www A web'].toSorted());
    const { history } = await bodyOf<{ history: { change_id: string; serial: number }[] }>(
      test.service.call('get', `/v1/domains/${domains[0]!.id}/history`),
    );
    expect(new Set(history.map(({ change_id, serial }) => `${change_id} ${serial}`)).size).toBe(1);
    expect(await as('web', 'plan', dir)).toMatchObject({ code: 0 });
  });

  it('17.14 notes equal sets without an owner, and refuses others at their line', async () => {
    await zone.import('www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\nmx 300 A 192.0.2.3\n');
    const equal = await as('web', 'plan', await folder('d', 'www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\n'));
    expect(equal).toMatchObject({ code: 0, stderr: '' });
    expect(equal.stdout).toContain(
      `d/${name}.zone:1: note: left alone: 2 records without an owner, first www.${zone.name} A; --adopt gives the sets to web\n`,
    );
    const hint = `www.${zone.name} A has no owner, and the file differs: --adopt gives it to web, or leave it out.`;
    const refusals = {
      'www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\nwww 300 A 192.0.2.4\n': '3:1',
      'mx 300 A 192.0.2.3\nwww 300 A 192.0.2.1\n': '2:1',
      'www 60 A 192.0.2.1\nwww 60 A 192.0.2.2\n': '1:1',
      'www 300 A 192.0.2.9\n': '1:1',
    };
    for (const [text, place] of Object.entries(refusals)) {
      const ended = await as('web', 'apply', await folder('d', text));
      expect(ended.code).toBe(1);
      expect(ended.stderr.split('\n')[0]).toBe(`d/${name}.zone:${place}: ${hint}`);
    }
    expect(await owned()).toEqual([]);
    expect(await records()).toHaveLength(3);
  });

  it('17.14 --adopt labels equal sets with the same serial, and changes others', async () => {
    await zone.import('www 300 A 192.0.2.1\nmx 300 A 192.0.2.3\nhand 300 A 192.0.2.7\n');
    const { serial } = await zone.now();
    await folder('d', 'www 300 A 192.0.2.1\nmx 300 A 192.0.2.3\n');
    const [text, json, markdown] = [
      await as('web', 'plan', 'd', '--adopt'),
      await as('web', 'plan', 'd', '--adopt', '--json'),
      await as('web', 'plan', 'd', '--adopt', '--markdown'),
    ];
    expect([text, json, markdown].map(({ code }) => code)).toEqual([2, 2, 2]);
    const { zones, summary } = JSON.parse(json.stdout) as { zones: object[]; summary: object };
    const labels = ['www', 'mx'].map((label) => ({ name: zone.at(label), type: 'A', label: 'owner=web' }));
    expect(zones).toMatchObject([{ action: 'change', add: 0, change: 0, delete: 0, label: 2, labels }]);
    expect(summary).toMatchObject({ labels: 2, zones: { change: 1 } });
    for (const { stdout } of [text, markdown]) expect(stdout).toContain(`\n+mx.${zone.name} A label owner=web\n`);
    expect(await as('web', 'apply', 'd', '--adopt')).toMatchObject({ code: 0, stderr: '' });
    expect(await zone.now()).toMatchObject({ serial });
    expect(await owned()).toEqual(['mx A web', 'www A web']);

    await folder('d', 'www 300 A 192.0.2.1\nmx 60 A 192.0.2.3\nhand 300 A 192.0.2.8\n');
    const mixed = await as('web', 'apply', 'd', '--adopt');
    expect(mixed.stdout).toContain(': 1 to add, 1 to change, 1 to delete; record sets: 1 to label; serial ');
    expect((await zone.now()).serial).toBeGreaterThan(serial);
    expect(await owned()).toEqual(['hand A web', 'mx A web', 'www A web']);
    expect(await as('web', 'plan', 'd')).toMatchObject({ code: 0 });
  });

  it('17.14 keeps the labels while it replaces all records of a set, and other labels', async () => {
    await as('web', 'apply', await folder('d', 'www 300 A 192.0.2.1\n'));
    await test.run('zone', 'label', name, '--set', `www.${name}/A`, 'env=prod');
    await as('web', 'apply', await folder('d', 'www 300 A 192.0.2.5\nwww 300 A 192.0.2.6\n'));
    expect(await owned()).toEqual(['www A prod web']);
  });

  it('17.14 leaves generated, unnamed and expiring records, and deletes its own delegation', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    await zone.newRecord({ name: zone.name, type: 'NS', data: 'ns.other.example.' });
    const generated = (await zone.export()).split('\n').filter((line) => /\t(?:SOA|NS)\t/.test(line));
    const own = generated.filter((line) => !line.includes('ns.other.example.'));
    await as('web', 'apply', await folder('d', `${own.join('\n')}\nwww 300 A 192.0.2.1\nsub 300 NS ns.example.net.\n`));
    await zone.newRecord({ name: zone.at('www'), type: 'TXT', data: '"acme"', expires_at });
    await as('web', 'apply', await folder('d', `${own.join('\n')}\nwww 300 A 192.0.2.1\n`));
    expect(await records()).toEqual([`${zone.name} NS ns.other.example.`, 'www A 192.0.2.1', 'www TXT "acme"']);
  });

  it('17.14 counts the records of the owner for --max-deletes', async () => {
    await zone.import(Array.from({ length: 30 }, (_, at) => `n${at} 60 A 192.0.2.1\n`).join(''));
    await as('web', 'apply', await folder('d', 'a A 192.0.2.1\nb A 192.0.2.1\nc A 192.0.2.1\nd A 192.0.2.1\n'));
    expect(await as('web', 'plan', await folder('d', 'a A 192.0.2.1\nb A 192.0.2.1\n'))).toMatchObject({
      code: 1,
      stderr: `d/${name}.zone: deletes 2 of 4 records, and --max-deletes 30% allows 1: check the file, or raise --max-deletes\n`,
    });
    expect(await as('web', 'apply', 'd', '--max-deletes', '50%')).toMatchObject({ code: 0 });
    expect(await records()).toHaveLength(32);
  });

  it('17.14 refuses names that no label can have, and --adopt without an owner', async () => {
    await folder('d', 'www A 192.0.2.1\n');
    for (const owner of ['', 'a b', 'x'.repeat(64)]) {
      expect(await as(owner, 'plan', 'd')).toMatchObject({ code: 1, stdout: '' });
      expect(await as(owner, 'export', 'e')).toMatchObject({ code: 1, stdout: '' });
    }
    expect(await test.run('plan', 'd', '--adopt')).toMatchObject({ code: 1, stdout: '' });
  });

  it('17.14 refuses to adopt a set with 16 labels', async () => {
    await zone.import('www 300 A 192.0.2.1\n');
    const labels = Array.from({ length: 16 }, (_, at) => `l${at}=x`);
    await test.run('zone', 'label', name, '--set', `www.${name}/A`, ...labels);
    expect(await as('web', 'apply', await folder('d', 'www 300 A 192.0.2.1\n'), '--adopt')).toMatchObject({
      code: 1,
      stderr: `d/${name}.zone: www.${zone.name} A has 16 labels: remove one.\n`,
    });
  });
});

describe('apply --plan --owner', () => {
  it('17.14 refuses the plan of another owner, and labels that have changed since', async () => {
    await zone.import('www 300 A 192.0.2.1\n');
    await folder('d', 'www 300 A 192.0.2.1\napi 300 A 192.0.2.2\n');
    await as('web', 'plan', 'd', '--adopt', '--out', 'plan.json');
    for (const args of [[], ['--owner', 'web'], ['--owner', 'mail', '--adopt']])
      expect(await test.run('apply', 'd', '--plan', 'plan.json', ...args)).toMatchObject({ code: 1, stdout: '' });
    await test.run('zone', 'label', name, '--set', `www.${name}/A`, 'owner=mail');
    expect(await as('web', 'apply', 'd', '--adopt', '--plan', 'plan.json')).toMatchObject({
      code: 1,
      stderr: `${zone.name} has changed since the plan: plan again\n`,
    });
    await as('web', 'plan', 'd', '--out', 'plan.json');
    expect(await as('web', 'apply', 'd', '--plan', 'plan.json')).toMatchObject({ code: 0 });
    expect(await owned()).toEqual(['api A web', 'www A mail']);
  });
});

describe('export --owner', () => {
  it('17.14 writes the sets of the owner, without zones in which it has none', async () => {
    const other = await newDomain(test.service);
    await zone.import('hand 300 A 192.0.2.7\n');
    await as('exporter', 'apply', await folder('d', 'www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\n'));
    for (const [dir, ...args] of [['e'], ['y', '--format', 'yaml']] as const) {
      const ended = await as('exporter', 'export', dir, ...args);
      expect(ended.stdout).toMatch(
        new RegExp(`^1 zones written to ${dir}, \\d+ without records of exporter left out, 0 secondary`),
      );
      const [file = ''] = await readdir(join(test.directory, dir));
      const text = await readFile(join(test.directory, dir, file), 'utf8');
      expect(text).toMatch(/www/);
      expect(text).not.toMatch(/hand|SOA|NS/);
      expect(await as('exporter', 'plan', dir)).toMatchObject({ code: 0 });
      expect(await as('exporter', 'export', dir, other.name)).toMatchObject({ code: 0 });
    }
  });

  it('17.14 writes the SOA of a zone that the owner has created, so that it can be created again', async () => {
    const fresh = freshName();
    const dir = await test.folder('n', { [`${fresh}zone`]: 'www A 192.0.2.1\n' });
    await as('web', 'apply', dir, '--create', '--tenant', 'tenant-a', '--email', 'a@example.com');
    await as('web', 'export', 'again', fresh);
    const { domains } = await bodyOf<{ domains: TestDomain[] }>(test.service.call('get', `/v1/domains?name=${fresh}`));
    await test.service.call('delete', `/v1/domains/${domains[0]!.id}`);
    expect(await as('web', 'apply', 'again', '--create', '--tenant', 'tenant-a')).toMatchObject({ code: 0 });
    expect(await as('web', 'plan', 'again')).toMatchObject({ code: 0 });
  });
});

describe('history', () => {
  it('17.14 undoing an apply restores the labels of the sets that it deleted', async () => {
    await as('web', 'apply', await folder('d', 'www 300 A 192.0.2.1\nold 300 A 192.0.2.2\n'));
    await as('web', 'apply', await folder('d', 'www 300 A 192.0.2.1\n'));
    const path = `/v1/domains/${zone.id}`;
    const { changes } = await bodyOf<{ changes: { change_id: string }[] }>(test.service.call('get', `${path}/changes`));
    await answerOf(test.service.call('post', `${path}/revert`, { change_id: changes[0]!.change_id }));
    expect(await owned()).toEqual(['old A web', 'www A web']);
  });
});
