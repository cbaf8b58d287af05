import { describe, expect, it } from '@jest/globals';
import type { ListedRecord } from '../api/types.js';
import { record } from '../testing/record.js';
import { CSV_HEAD, csvFileName, csvOf } from './csv.js';

const line = (changed: Partial<ListedRecord>): string =>
  csvOf([{ ...record('www', changed), tenant_id: 'acme', version: 1 }]);

describe('22.15 a CSV file of records', () => {
  it('has the fields of the API in a fixed order, and nothing for absent values', () => {
    expect(CSV_HEAD).toBe('name,type,ttl,priority,data,description,expires_at,created_at,updated_at,id\r\n');
    expect(line({ ttl: 300, created_at: '2027-01-31T10:00:00.000000' })).toBe(
      'www.example.org.,A,300,,192.0.2.1,,,2027-01-31T10:00:00.000000,,www\r\n',
    );
  });

  it('quotes commas, quotes and line ends', () => {
    expect(line({ data: '"a, b" "c"', description: 'one\ntwo' })).toContain(',"""a, b"" ""c""","one\ntwo",');
  });

  it.each(["=cmd|'/c calc'!A0", '+1', '-1', '@SUM(A1)', '\t=1', '\uff1d1'])('disarms the formula %j', (description) => {
    expect(line({ description })).toContain(`,'${description},`);
  });

  it('disarms and quotes a formula with a comma', () => {
    expect(line({ description: '=HYPERLINK("x","y")' })).toContain(`,"'=HYPERLINK(""x"",""y"")",`);
  });

  it.each([
    ['example.org.', 'example.org.csv'],
    ['.', 'root.csv'],
    ['0/25.2.0.192.in-addr.arpa.', '0_25.2.0.192.in-addr.arpa.csv'],
    ['..\\\\x.', '..__x.csv'],
  ])('has a file name for %j', (zone, file) => {
    expect(csvFileName(zone)).toBe(file);
  });
});
