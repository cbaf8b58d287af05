import { describe, expect, it } from '@jest/globals';
import { Refusal } from '../api/errors.js';
import type { FieldDescription } from '../api/types.js';
import { verdictOf } from './check-entry.js';
import { fieldsOfWords, readFields, typedFields } from './field-values.js';
import { fullName, otherTargetName, pastedLine, relativeName, targetName } from './names.js';
import { parameterOf, writtenParameter } from './parameter.js';

const ZONE = 'example.org.';

const field = (
  name: string,
  kind: FieldDescription['kind'],
  changed: Partial<FieldDescription> = {},
): FieldDescription => ({
  ...{ name, label: name, kind, form: '', minimum: null, maximum: null, values: null, repeats: false, optional: false },
  ...changed,
});

describe('22.2 names', () => {
  it('are relative to the zone unless they end with a dot', () => {
    expect(['', '@', 'www', 'a.b', 'mail.example.net.'].map((name) => fullName(name, ZONE))).toEqual([
      ...['example.org.', 'example.org.', 'www.example.org.', 'a.b.example.org.', 'mail.example.net.'],
    ]);
    expect(['example.org.', 'WWW.Example.ORG.', 'example.net.'].map((name) => relativeName(name, ZONE))).toEqual([
      ...['@', 'WWW', 'example.net.'],
    ]);
  });

  it('22.2, 7.3 are relative to the root as well', () => {
    expect(['@', 'org', 'a.org', 'org.'].map((name) => fullName(name, '.'))).toEqual(['.', 'org.', 'a.org.', 'org.']);
    expect(['.', 'org.', 'a.org.'].map((name) => relativeName(name, '.'))).toEqual(['@', 'org', 'a.org']);
  });

  it('may be pasted with the rest of their line', () => {
    const types = new Set(['A', 'MX']);
    expect(pastedLine('www 300 IN A 192.0.2.1', types)).toEqual({
      name: 'www',
      ttl: '300',
      type: 'A',
      data: '192.0.2.1',
    });
    expect(pastedLine('www IN 60 a  192.0.2.1', types)).toMatchObject({ ttl: '60', type: 'A' });
    expect(pastedLine('www 1h IN A 192.0.2.1', types)).toMatchObject({ ttl: '1h', type: 'A' });
    expect(pastedLine('www', types)).toBeNull();
    expect(pastedLine('two words here', types)).toBeNull();
  });
});

describe('22.3 fields of a record', () => {
  const fields = [
    field('flags', 'number'),
    field('texts', 'text', { repeats: true }),
    field('parameters', 'parameter', { repeats: true, optional: true }),
  ];

  it('are sent as they were answered', () => {
    const answered = {
      flags: 0,
      texts: ['a "b"', { hexadecimal: 'ff00' }],
      parameters: [
        { key: 'alpn', value: 'h2' },
        { key: 'x', value: '' },
      ],
    };
    expect(readFields(fields, typedFields(fields, answered), ZONE)).toEqual({ fields: answered, faults: {} });
  });

  it('are missed, and numbers held to digits, before the service is asked', () => {
    expect(readFields(fields, { flags: ['1x'], texts: [''], parameters: [''] }, ZONE)).toEqual({
      fields: { texts: [''] },
      faults: { flags: 'not a number' },
    });
    expect(readFields([field('address', 'ipv4')], { address: [''] }, ZONE).faults).toEqual({ address: 'missing' });
  });
});

describe('22.3 names in data', () => {
  it.each([
    ['mail', 'mail.example.org.'],
    ['@', 'example.org.'],
    ['.', '.'],
    ['mail.example.net.', 'mail.example.net.'],
    ['mail.example.net', 'mail.example.net.'],
    ['www.example.org', 'www.example.org.'],
    ['d111.cloudfront.net', 'd111.cloudfront.net.'],
    ['s1._domainkey', 's1._domainkey.example.org.'],
    ['1.0/25', '1.0/25.example.org.'],
    ['bücher.example', 'xn--bcher-kva.example.'],
    ['host\\.', 'host\\..example.org.'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['', ''],
  ])('complete %j to %j', (typed, full) => {
    expect(targetName(typed, ZONE)).toBe(full);
    const target = [field('target', 'domain_name')];
    expect(readFields(target, { target: [typed] }, ZONE).fields).toEqual(full === '' ? {} : { target: full });
  });

  it('have a second reading where the final dot is a guess', () => {
    expect(otherTargetName('mail.dc', ZONE)).toBe('mail.dc.example.org.');
    for (const typed of ['mail', 'www.example.org', 'EXAMPLE.org', 'mail.example.net.', '', '@', '192.0.2.1'])
      expect(otherTargetName(typed, ZONE)).toBeNull();
    expect(targetName('mail', '.')).toBe('mail.');
  });

  it('come from a pasted line where each word is a field', () => {
    const mx = [field('priority', 'number'), field('exchange', 'host_name')];
    expect(fieldsOfWords(mx, '10  mail')).toEqual({ priority: ['10'], exchange: ['mail'] });
    expect(fieldsOfWords(mx, 'mail')).toBeNull();
    expect(fieldsOfWords([field('text', 'text', { repeats: true })], 'x')).toBeNull();
  });
});

describe('22.3 refusals by the service', () => {
  const refusal = (type: 'invalid_object' | 'duplicate_record', path: string): Refusal =>
    new Refusal(400, {
      code: 400,
      type,
      reason: type,
      params: {},
      message: 'm',
      request_id: '',
      errors: [{ path, message: 'why', validator: 'format', code: 'format', params: {} }],
    });

  it('appears at its control', () => {
    expect(verdictOf(refusal('invalid_object', 'changes[2].record.fields.exchange'), 2).faults).toEqual({
      'fields.exchange': 'why',
    });
    expect(verdictOf(refusal('invalid_object', 'changes[1].record.name'), 2)).toEqual({
      record: null,
      faults: {},
      general: [],
    });
  });

  it('does not block errors that other changes may fix', () => {
    expect(verdictOf(refusal('duplicate_record', 'changes[0]'), 0)).toEqual({
      record: null,
      faults: {},
      general: ['why'],
    });
  });
});

describe('22.3 a parameter', () => {
  const known = ['alpn', 'port', 'no-default-alpn'];
  it.each([
    ['alpn=h2,h3', 'alpn', 'h2,h3'],
    ['no-default-alpn', 'no-default-alpn', ''],
    ['key65333=a=b', 'key65333', 'a=b'],
    ['alp', '', 'alp'],
    ['', '', ''],
  ])('%j is %j with %j, and back', (text, key, value) => {
    expect(parameterOf(text, known)).toEqual({ key, value });
    expect(writtenParameter(key, value)).toBe(text);
  });

  it('may be typed from its first letter to its last', () => {
    let text = '';
    for (const letter of 'port=8443') {
      const { key, value } = parameterOf(text, known);
      text = writtenParameter(key, `${value}${letter}`);
    }
    expect(text).toBe('port=8443');
  });
});
