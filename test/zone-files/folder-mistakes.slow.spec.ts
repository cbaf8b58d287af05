import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FolderTest } from '../support/zone-folder.js';

let test: FolderTest;

beforeAll(async () => {
  test = await FolderTest.start();
});
afterAll(() => test.stop());

const NEW = ['--create', '--email', 'a@example.org'];
const RECORD = 'type: A\n  value: 192.0.2.1\n';

/** The lines of errors of a plan of these files, which must fail within ten seconds and 1 GiB of memory. */
async function mistakes(files: Readonly<Record<string, string | Buffer>>, ...args: string[]): Promise<string[]> {
  const begun = Date.now();
  const ended = await test.run('plan', await test.folder('d', files), ...NEW, ...args);
  expect(ended.code).toBe(1);
  expect(Date.now() - begun).toBeLessThan(20_000);
  return ended.stderr.trimEnd().split('\n');
}

function textOf(yaml: string): Record<string, string> {
  return { 'a.example.yaml': yaml };
}

describe('YAML', () => {
  it('17.10 refuses types, keys and values outside the schema, with their places, all at once', async () => {
    const yaml = [
      `a:\n  type: HINFO\n  value: x\n`,
      `b:\n  type: A\n  value: {a: 1}\n`,
      `c:\n  ttl: 5m\n  ${RECORD}`,
      `d:\n  dynamic: {}\n  ${RECORD}`,
      `e:\n  octodns: {ignored: true}\n  ${RECORD}`,
      `f:\n  type: MX\n  value: {preference: 10, exchange: mx.example.net}\n`,
      `g:\n  type: MX\n  value: {exchange: mx.example.net.}\n`,
      `h:\n  - ${RECORD.replace('\n  ', '\n    ')}  - ${RECORD.replace('\n  ', '\n    ')}`,
      `'@':\n  ${RECORD}`,
      `i:\n  type: CNAME\n  values: [a.example.org.]\n`,
      `j: x\n`,
      `k:\n  type: SOA\n  value: x\n`,
      `l:\n  type: A\n`,
      `m:\n  type: A\n  values: []\n`,
      `n:\n  type: A\n  value: '192.0.2.1 192.0.2.2'\n`,
      `o:\n  type: SVCB\n  value: {svcpriority: 1, targetname: ., svcparams: {bad: x}}\n`,
    ].join('');
    expect(await mistakes(textOf(yaml))).toEqual([
      expect.stringMatching(
        /^d\/a\.example\.yaml:2:9: the type "HINFO" is not supported in YAML .*: keep this zone as a zone file/,
      ),
      expect.stringMatching(/:6:10: value is a text, not a mapping$/),
      expect.stringMatching(/:8:8: ttl: "5m" is not a number$/),
      expect.stringMatching(/:12:3: "dynamic" is not supported/),
      expect.stringMatching(/:16:3: only octodns\.lenient is read/),
      expect.stringMatching(/:21:37: "mx\.example\.net" lacks the final dot/),
      expect.stringMatching(/:24:10: the field preference is missing/),
      expect.stringMatching(/:28:11: A stands here twice/),
      expect.stringMatching(/:30:1: '@' is not the name/),
      expect.stringMatching(/:35:3: this type has one value/),
      expect.stringMatching(/:36:4: a record is a mapping/),
      expect.stringMatching(/:38:9: the service makes the SOA/),
      expect.stringMatching(/:41:3: a record needs a value/),
      expect.stringMatching(/:44:3: a record needs a value/),
      expect.stringMatching(/:47:10: value: write one word/),
      expect.stringMatching(/:50:54: "bad" is no parameter/),
    ]);
  });

  it('17.10 a record that the service refuses has the place of its value', async () => {
    expect(await mistakes(textOf('a:\n  type: A\n  values:\n    - 192.0.2.1\n    - 192.0.2.256\n'))).toEqual([
      expect.stringMatching(/^d\/a\.example\.yaml:5:7: A: .*192\.0\.2\.256/),
    ]);
    expect(
      await mistakes(textOf('a:\n  - type: CNAME\n    value: b.example.\n  - type: A\n    value: 192.0.2.1\n')),
    ).toEqual([expect.stringMatching(/^d\/a\.example\.yaml:[35]:12: .* in d\/a\.example\.yaml:[35]:12/)]);
  });

  it('17.10 reads anchors and merge keys, and texts that YAML 1.1 takes for others', async () => {
    const yaml = `a: &a\n  ttl: 60\n  ${RECORD}no:\n  <<: *a\n  value: 192.0.2.2\n'1': *a\n1e3: *a\nmünchen: *a\n`;
    const ended = await test.run('plan', await test.folder('d', textOf(yaml)), ...NEW);
    expect(ended.stdout.split('\n').slice(2, 7)).toEqual(
      ['a', 'no', '1', '1e3', 'xn--mnchen-3ya'].map(
        (name) => `+${name}.a.example. 60 A 192.0.2.${name === 'no' ? '2' : '1'}`,
      ),
    );
  });

  it('17.10 refuses hostile and malformed files, each soon', async () => {
    const cases: Readonly<Record<string, readonly [text: string | Buffer, message: RegExp]>> = {
      'alias-bomb': [bomb(), /aliases repeat more than 1000000 values/],
      'merge-bomb': [mergeBomb(), /aliases repeat more than 1000000 values/],
      'own-alias': ['a: &a\n  <<: *a\n', /no anchor|lead to each other/],
      brackets: [`a: ${'['.repeat(100_000)}`, /brackets nest more than 64/],
      braces: [`a: ${'{a: '.repeat(100_000)}`, /brackets nest more than 64/],
      dashes: [`a:\n  ${'- '.repeat(50_000)}x\n`, /nest more than 64/],
      indents: [
        Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:\n`).join(''),
        /nest more than 64|cannot be read/,
      ],
      size: [`# ${'x'.repeat(4_194_304)}`, /more than 4194304 octets/],
      nul: ['a: "\0"\n', /:1:5: a control character/],
      octets: [Buffer.from([0x61, 0x3a, 0xff]), /not UTF-8/],
      tag: ['a: !include b.yaml\n', /the tag !include is not supported/],
      'no-anchor': ['a: *b\n', /no anchor|alias/i],
      duplicate: [`a:\n  ${RECORD}a:\n  ${RECORD}`, /"a" stands here twice/],
      documents: [`a:\n  ${RECORD}---\nb:\n  ${RECORD}`, /document/],
      nothing: ['', /the zone is a mapping/],
      list: ['- a\n', /the zone is a mapping/],
      proto: ['__proto__:\n  type: toString\n  value: x\n', /the type "toString" is not supported/],
    };
    const entries = Object.entries(cases);
    const lines = await mistakes(Object.fromEntries(entries.map(([name, [text]]) => [`${name}.example.yaml`, text])));
    const errors = entries.map(([name]) =>
      lines.filter((line) => line.startsWith(`d/${name}.example.yaml:`)).join('\n'),
    );
    expect(errors).toEqual(entries.map(([, [, message]]) => expect.stringMatching(message)));
    expect(lines).toHaveLength(entries.length);
  });
});

function bomb(): string {
  const values = Array.from({ length: 1000 }, (_, at) => `      - 192.0.2.${at % 256}\n`);
  const names = Array.from({ length: 2000 }, (_, at) => `n${at}: *a\n`);
  return `a: &a\n  type: A\n  values:\n${values.join('')}${names.join('')}`;
}

function mergeBomb(): string {
  const levels = Array.from(
    { length: 30 },
    (_, at) => `n${at}: &n${at}\n  <<: [${at === 0 ? '' : `*n${at - 1}, *n${at - 1}`}]\n  k${at}: x\n`,
  );
  return `${levels.join('')}z: *n29\n`;
}

describe('folders', () => {
  it('17.7 refuses a zone in two files and a name that is none', async () => {
    const files = {
      'a.example.yaml': 'a: x\n',
      'a.example.zone': '',
      'A.example.yml': '',
      'a..b.zone': '',
      'README.md': '',
    };
    expect(await mistakes(files)).toEqual([
      expect.stringContaining('A.example. is also in a.example.yaml, a.example.zone: keep one file'),
      expect.stringContaining('d/a..b.zone: the name of the file is not that of a zone'),
      expect.stringContaining('d/a.example.yaml: a.example. is also in A.example.yml, a.example.zone'),
      expect.stringContaining('d/a.example.zone: a.example. is also in A.example.yml, a.example.yaml'),
    ]);
  });

  it('17.7 refuses a folder without a zone, and one that does not exist', async () => {
    expect(await mistakes({ 'variables.yaml': 'A: b\n' })).toEqual([expect.stringContaining('d has no zone')]);
    expect(await test.run('plan', 'missing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such folder'),
    });
  });

  it('17.7 refuses the zone of another name', async () => {
    expect(await mistakes({ 'a.example.zone': 'b.example. SOA a. b. 1 2 3 4 5\n' })).toEqual([
      expect.stringContaining('d/a.example.zone:1:1: '),
    ]);
    expect(await mistakes({ 'a.example.zone': 'a.b.example. A 192.0.2.1\n' })).toEqual([
      expect.stringContaining('outside the zone'),
    ]);
  });

  it('17.7 reads regular files inside the folder only, and a zone with NUL or more than 64 MiB not at all', async () => {
    await test.folder('d', {
      'in.inc': '@ 60 A 192.0.2.1\n',
      'nul.example.zone': 'a A 192.0.2.1\0\n',
      'big.example.zone': Buffer.alloc(67_108_865, ';'),
    });
    const at = (name: string) => join(test.directory, 'd', name);
    await symlink('/etc/hostname', at('link.example.zone'));
    await symlink('in.inc', at('fine.example.zone'));
    execFileSync('mkfifo', [at('pipe.example.zone')]);
    const ended = await test.run('plan', 'd', ...NEW);
    expect(ended.stdout).toContain('+fine.example. 60 A 192.0.2.1');
    expect(ended.stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^d\/big\.example\.zone: the file has more than 67108864 octets/),
      expect.stringMatching(/^d\/link\.example\.zone: the file lies outside the folder/),
      expect.stringMatching(/^d\/nul\.example\.zone:1:14: a control character/),
      expect.stringMatching(/^d\/pipe\.example\.zone: this is not a regular file/),
    ]);
  });
});

describe('variables and includes', () => {
  it('17.11 replaces variables of the file and the command line, and includes files with their origins', async () => {
    const ended = await test.run(
      'plan',
      await test.folder('d', {
        'variables.yaml': 'A: 192.0.2.1\nB: 192.0.2.2\n',
        'a.example.zone':
          '$TTL 60\nx A ${A}\n$INCLUDE "sub/a.inc" sub\ny A ${B} ; (\nz A (\n${B}\n$INCLUDE sub/b.inc\nt TXT "\\036{A}"\n',
        'sub/a.inc': '@ A ${A}\n$ORIGIN deep\nw A ${A}\n$INCLUDE sub/b.inc',
        'sub/b.inc': 'b A 192.0.2.3\n',
      }),
      ...[...NEW, '--var', 'B=192.0.2.9'],
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain('d/a.example.zone:7:1: ');
    const dir = await test.folder('d', {
      'variables.yaml': 'A: 192.0.2.1\nB: 192.0.2.2\n',
      'a.example.zone':
        '$TTL 60\nx A ${A}\n$INCLUDE "sub/a.inc" sub\ny A ${B}\nz A (\n${B} )\n$INCLUDE sub/b.inc\nt TXT "\\036{A}"\n',
      'sub/a.inc': '@ A ${A}\n$ORIGIN deep\nw A ${A}\n$INCLUDE sub/b.inc',
      'sub/b.inc': 'b A 192.0.2.3\n',
      'c.example.yaml': 't:\n  type: TXT\n  ttl: 60\n  value: "\\x24{A} ${A}"\n',
    });
    const { stdout } = await test.run('plan', dir, ...NEW, '--var', 'B=192.0.2.9');
    const added = stdout.split('\n').filter((line) => /^\+.* 60 /.test(line));
    expect(added).toEqual([
      '+x.a.example. 60 A 192.0.2.1',
      '+sub.a.example. 60 A 192.0.2.1',
      '+w.deep.sub.a.example. 60 A 192.0.2.1',
      '+b.deep.sub.a.example. 60 A 192.0.2.3',
      '+y.a.example. 60 A 192.0.2.9',
      '+z.a.example. 60 A 192.0.2.9',
      '+b.a.example. 60 A 192.0.2.3',
      '+t.a.example. 60 TXT "${A}"',
      '+t.c.example. 60 TXT "${A} 192.0.2.1"',
    ]);
  });

  it('17.11 refuses includes and variables that are unknown, lead out or grow without bound', async () => {
    const cases: Readonly<Record<string, readonly [text: string, message: RegExp]>> = {
      variable: ['a A 192.0.2.1\nb A ${X}\n', /^d\/variable\.example\.zone:2: the variable X has no value/],
      'variable-in-include': ['$INCLUDE x.inc\n', /^d\/x\.inc:2: the variable X/],
      'fault-in-include': ['\n$INCLUDE bad.inc\n', /^d\/bad\.inc:2:5: A: /],
      outside: ['$INCLUDE ../out/secret\n', /outside\.example\.zone:1: \.\.\/out\/secret: the file lies outside/],
      absolute: ['$INCLUDE /etc/passwd\n', /:1: an include is a path inside/],
      missing: ['$INCLUDE x\n', /:1: x: the file does not exist/],
      itself: ['$INCLUDE itself.example.zone\n', /:1: files include each other more than 8/],
      many: ['$INCLUDE 1\n', /at most 1000 includes/],
      lines: ['$INCLUDE lines.inc\n'.repeat(20), /more than 1000000 lines/],
      long: ['$INCLUDE long.inc\n'.repeat(20), /more than 67108864 octets/],
      inherited: ['$INCLUDE good.inc\n A 192.0.2.1\n', /:2: .*needs its owner name/],
      multiplied: ['${LONG}'.repeat(100_000), /more than 67108864 octets/],
    };
    await test.folder('out', { secret: 'a A 192.0.2.1\n' });
    const entries = Object.entries(cases);
    const lines = await mistakes({
      ...Object.fromEntries(entries.map(([name, [text]]) => [`${name}.example.zone`, text])),
      ...{ 'x.inc': '\n; ${X}', 'bad.inc': '; x\na A x\n', 'good.inc': 'a A 192.0.2.2\n', ...levels() },
      ...{ 'lines.inc': ';\n'.repeat(100_000), 'long.inc': `;${'x'.repeat(9_000_000)}\n` },
      'variables.yaml': `LONG: ${'x'.repeat(1000)}\n`,
    });
    expect(lines).toEqual(
      entries
        .toSorted(([one], [other]) => (`${one}.` < `${other}.` ? -1 : 1))
        .map(([, [, message]]) => expect.stringMatching(message)),
    );
  });

  it('17.11 refuses malformed variables', async () => {
    const malformed: [text: string, message: RegExp][] = [
      ['A: |\n  a\n  b\n', /^zonewright: d\/variables\.yaml:1:1: the value of A has a control/],
      ['A: [b]\n', /variables\.yaml:1:4: A: a variable is a text/],
      ['a-b: c\n', /"a-b" is no name of a variable/],
    ];
    for (const [text, message] of malformed)
      expect(await mistakes({ 'a.example.zone': '', 'variables.yaml': text })).toEqual([
        expect.stringMatching(message),
      ]);
    expect(await mistakes({ 'a.example.zone': '' }, '--var', 'A')).toEqual([expect.stringContaining('--var "A"')]);
  });
});

function levels(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 6 }, (_, at) => [
      String(at + 1),
      at === 5 ? 'a A 192.0.2.1\n' : `$INCLUDE ${at + 2}\n`.repeat(9),
    ]),
  );
}
