import { describe, expect, it } from '@jest/globals';
import { type Entry, NOTHING_PENDING } from '../changes/pending.js';
import { record } from '../testing/record.js';
import { setsOf, withTemplate } from './clashes.js';
import { recordsOf, TEMPLATE_NAMES, unquoted, type TemplateName, type Values } from './templates.js';

const ZONE = 'example.org.';
const BASE = { etag: '"1"', serial: 1 };
const stored = (id: string, name: string, type: string, data: string, priority: number | null = null) =>
  record(id, { name, type, data, priority });

const linesOf = (template: TemplateName, values: Values = {}, zone = ZONE): string[] =>
  recordsOf(template, values, zone).map(({ name, type, priority, data }) =>
    [name, type, ...(priority === null ? [] : [priority]), data].join(' '),
  );

/** Entries as action, name, type and data. */
const shown = (entries: readonly Entry[]): string[] =>
  entries.map((entry) => {
    const { name, type, data } = entry.action === 'delete' ? entry.before : entry.record;
    return `${entry.action} ${name} ${type} ${data}`;
  });

describe('22.15 the records of a template', () => {
  it('22.15 have absolute names below the zone', () => {
    expect(linesOf('fastmail')).toContain(`fm2._domainkey.${ZONE} CNAME fm2.example.org.dkim.fmhosted.com.`);
    expect(linesOf('noMail', {}, '.')).toContain('_dmarc. TXT "v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s"');
    for (const template of TEMPLATE_NAMES)
      for (const { name } of recordsOf(template, {}, ZONE)) expect(name.endsWith(ZONE)).toBe(true);
  });

  it('22.15 include those of filled fields', () => {
    const values = { mailHost: ' example-org.mail.protection.outlook.com ', verification: 'MS=ms1', dkimHost: '' };
    const lines = linesOf('microsoft', values);
    expect(lines.slice(0, 2)).toEqual([
      `${ZONE} TXT "MS=ms1"`,
      `${ZONE} MX 0 example-org.mail.protection.outlook.com.`,
    ]);
    expect(lines.join()).not.toContain('selector1');
    expect(linesOf('proton', { dkimHost: 'protonmail.domainkey.dk.domains.proton.ch.' })).toContain(
      `protonmail3._domainkey.${ZONE} CNAME protonmail3.domainkey.dk.domains.proton.ch.`,
    );
  });

  it('22.15 split a long key into strings, also one that was pasted with quotes', () => {
    const key = `v=DKIM1; k=rsa; p=${'a'.repeat(300)}`;
    const pasted = `"${key.slice(0, 200)}" "${key.slice(200)}"`;
    for (const dkimKey of [key, pasted]) {
      const [found] = recordsOf('google', { dkimKey }, ZONE).filter(({ name }) => name.startsWith('google.'));
      expect(found?.data).toMatch(/^"[^"]{255}" "[^"]{63}"$/);
      expect(unquoted(found?.data ?? '')).toBe(key);
    }
  });
});

describe('22.15 a template in a zone', () => {
  const zone = [
    stored('mx', ZONE, 'MX', 'mail.example.org.', 10),
    stored('spf', ZONE, 'TXT', '"v=spf1 mx" " -all"'),
    stored('other', ZONE, 'TXT', '"MS=ms1"'),
    stored('dmarc', `_dmarc.${ZONE}`, 'TXT', '"v=DMARC1; p=none; rua=mailto:a@example.org"'),
  ];
  const google = recordsOf('google', { verification: 'google-site-verification=1' }, ZONE);

  it('22.15 replaces other MX records and policies, and keeps reports', () => {
    const sets = setsOf(google, zone, []);
    const clashes = sets.filter(({ rivals }) => rivals.length > 0);
    expect(clashes.map(({ rivals, prefersKeep }) => [rivals.map(({ key }) => key), prefersKeep])).toEqual([
      [['mx'], false],
      [['spf'], false],
      [['dmarc'], true],
    ]);
    const keeps = new Set(sets.filter(({ prefersKeep }) => prefersKeep).map(({ id }) => id));
    expect(shown(withTemplate(NOTHING_PENDING, sets, keeps, BASE).entries)).toEqual([
      `delete ${ZONE} MX mail.example.org.`,
      `delete ${ZONE} TXT "v=spf1 mx" " -all"`,
      `create ${ZONE} TXT "google-site-verification=1"`,
      `create ${ZONE} MX smtp.google.com.`,
      `create ${ZONE} TXT "v=spf1 include:_spf.google.com ~all"`,
    ]);
  });

  it('22.15 adds nothing that the zone has, and brings back its deleted records', () => {
    const there = google.map((one, index) => record(String(index), one));
    expect(withTemplate(NOTHING_PENDING, setsOf(google, there, []), new Set(), BASE).entries).toEqual([]);
    const deletions: Entry[] = there.map((before) => ({ action: 'delete', key: before.id, before }));
    const pending = { base: BASE, entries: deletions };
    const again = withTemplate(pending, setsOf(google, there, deletions), new Set(), BASE);
    expect(again.entries).toEqual([]);
  });

  it('22.15 replaces its own records that are still pending, and other types next to an alias', () => {
    const first = withTemplate(NOTHING_PENDING, setsOf(google, [], []), new Set(), BASE);
    const proton = recordsOf('proton', {}, ZONE);
    const next = withTemplate(first, setsOf(proton, [], first.entries), new Set(), BASE);
    expect(shown(next.entries).filter((line) => / MX |spf1/.test(line))).toEqual([
      `create ${ZONE} MX mail.protonmail.ch.`,
      `create ${ZONE} MX mailsec.protonmail.ch.`,
      `create ${ZONE} TXT "v=spf1 include:_spf.protonmail.ch ~all"`,
    ]);
    const address = stored('a', `autodiscover.${ZONE}`, 'A', '192.0.2.1');
    const found = setsOf(recordsOf('microsoft', {}, ZONE), [address], []).find(({ rivals }) => rivals.length > 0);
    expect([found?.records[0]?.type, found?.prefersKeep]).toEqual(['CNAME', false]);
  });
});
