import { describe, expect, it } from '@jest/globals';
import type { FieldDescription, RecordType, RecordTypes } from '../api/types.js';
import { isUntouched, startContent, withLine, withType } from './form-content.js';
import { previewOf } from './preview.js';

const field = (name: string, kind: FieldDescription['kind'], values: FieldDescription['values'] = null) => ({
  ...{ name, label: name, kind, form: '', minimum: null, maximum: null, values, repeats: false, optional: false },
});
const typeOf = (name: string, priority: FieldDescription | null, fields: FieldDescription[]): RecordType => ({
  ...{ name, code: 0, rfc: '', owner_rule: null, placement_rules: [], priority, fields },
  example: { name: '', data: '', priority: null, fields: null },
});
const MX = typeOf('MX', field('priority', 'number'), [field('exchange', 'host_name')]);
const TAGS = [{ value: 'issue', label: '' }];
const CAA = typeOf('CAA', null, [field('flags', 'number'), field('tag', 'text', TAGS), field('value', 'text')]);
const TXT = typeOf('TXT', null, [{ ...field('text', 'text'), repeats: true }]);
const TYPES: RecordTypes = { record_types: [MX, CAA, TXT], numbered_types: false };
const ZONE = { name: 'example.org.', ttl: 3600 };

describe('22.3 the preview of a record', () => {
  const empty = startContent({ kind: 'add', draft: null }, TYPES, ZONE.name);

  it('begins with the usual values of the type, and completes names', () => {
    const begun = withType(empty, 'MX', TYPES);
    expect(previewOf(begun, MX, ZONE)).toBe('example.org. 3600 IN MX 10 …');
    expect(isUntouched(begun, MX)).toBe(true);
    const typed = { ...begun, name: '@', ttl: '5m', fields: { ...begun.fields, exchange: ['mail'] } };
    expect(previewOf(typed, MX, ZONE)).toBe('example.org. 300 IN MX 10 mail.example.org.');
    expect(isUntouched(typed, MX)).toBe(false);
    expect(previewOf({ ...typed, ttl: 'x' }, MX, ZONE)).toContain('example.org. … IN');
  });

  it('quotes texts', () => {
    const caa = withType(empty, 'CAA', TYPES);
    const typed = { ...caa, fields: { ...caa.fields, value: ['ca.example; x="y"'] } };
    expect(previewOf(typed, CAA, ZONE)).toBe('example.org. 3600 IN CAA 0 issue "ca.example; x=\\"y\\""');
  });

  it('shows a pasted line', () => {
    const line = { name: 'www', ttl: '1h', type: 'MX', data: '5 mail' };
    expect(previewOf(withLine(empty, line, TYPES), MX, ZONE)).toBe('www.example.org. 3600 IN MX 5 mail.example.org.');
    const text = withLine(empty, { ...line, type: 'TXT', data: '"a b" c' }, TYPES);
    expect(previewOf(text, TXT, ZONE)).toBe('www.example.org. 3600 IN TXT "a b" c');
  });
});
