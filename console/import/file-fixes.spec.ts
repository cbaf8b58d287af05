import { describe, expect, it } from '@jest/globals';
import type { PlanFinding } from '../api/types.js';
import { fixAll, fixOf } from './file-fixes.js';

const finding = (line: number, kind: PlanFinding['kind'] = 'missing_alpn', text?: string): PlanFinding => ({
  ...{ severity: 'warning', name: 'x.example.org.', type: 'A', message: '', line, kind },
  ...(text !== undefined && { text }),
});
const fixed = (file: string, ...of: Parameters<typeof finding>) => fixOf(file, finding(...of))?.text;

describe('22.7 corrections of a zone file', () => {
  it('end a name with a dot, where it is written', () => {
    const cdn = 'www A 192.0.2.1\r\ncdn 300 IN CNAME d111.CloudFront.net ; d111.cloudfront.net\r\n';
    expect(fixed(cdn, 2, 'missing_dot', 'd111.cloudfront.net.')).toBe(cdn.replace('Front.net ;', 'Front.net. ;'));
    expect(fixed('a MX 10 (\n mx.example.net )\n', 1, 'missing_dot', 'mx.example.net.')).toBe(
      'a MX 10 (\n mx.example.net. )\n',
    );
  });

  it('end an owner name with a dot, also where the entry inherits it', () => {
    const file = 'www.example.org A 192.0.2.1\n; comment\n  AAAA 2001:db8::1\n';
    expect(fixed(file, 3, 'missing_dot', 'www.example.org.')).toBe(file.replace('org A', 'org. A'));
    expect(fixed('other A 192.0.2.1\n AAAA ::1\n', 2, 'missing_dot', 'www.example.org.')).toBeUndefined();
  });

  it('put an SPF policy in one pair of quotes', () => {
    expect(fixed('@ IN TXT v=spf1 include:_spf.example.net ~all ; mail\n', 1, 'unspaced_spf')).toBe(
      '@ IN TXT "v=spf1 include:_spf.example.net ~all" ; mail\n',
    );
    expect(fixed('@ TXT "v=spf1 a" "~all"', 1, 'unspaced_spf')).toBe('@ TXT "v=spf1 a ~all"');
    const [before, after] = fixed('@ TXT ( "v=spf1"\n "a" "-all" )\nx A 192.0.2.1', 1, 'unspaced_spf')!.split('\nx');
    expect(before!.replaceAll(/\s+/g, ' ')).toBe('@ TXT ( "v=spf1 a -all" )');
    expect(before!.split('\n')).toHaveLength(2);
    expect(after).toBe(' A 192.0.2.1');
  });

  it('split a policy at 255 characters', () => {
    const long = 'ip4:192.0.2.0/24 '.repeat(20).trim();
    const file = fixed(`@ TXT v=spf1 ${long} -all`, 1, 'unspaced_spf')!;
    const strings = [...file.matchAll(/"([^"]*)"/g)].map(([, string]) => string!);
    expect(strings.join('')).toBe(`v=spf1 ${long} -all`);
    expect(strings.every(({ length }) => length <= 255)).toBe(true);
  });

  it('leave out a record, and keep the owner name of the records below', () => {
    expect(fixed('@ MX 10 mail\n; comment\n\n  TXT "x"\n', 1, 'no_address')).toBe(
      '; @ MX 10 mail\n; comment\n\n@  TXT "x"\n',
    );
    expect(fixed('@ MX 10 mail\nwww A 192.0.2.1', 1)).toBe('; @ MX 10 mail\nwww A 192.0.2.1');
    expect(fixed('@ SRV ( 1 1\r\n 5 x )\r\n A 192.0.2.1', 1)).toBe('; @ SRV ( 1 1\r\n;  5 x )\r\n@ A 192.0.2.1');
    expect(fixed('$GENERATE 1-2 a$ MX 10 none\n', 1, 'no_address')).toBeUndefined();
  });

  it('apply to all dots and quotes together', () => {
    const file = '@ TXT v=spf1 -all\ncdn CNAME d1.example.net\n@ MX 10 mail\n';
    const findings = [
      finding(1, 'unspaced_spf'),
      finding(2, 'missing_dot', 'd1.example.net.'),
      finding(3, 'no_address'),
    ];
    expect(fixAll(file, findings)).toBe('@ TXT "v=spf1 -all"\ncdn CNAME d1.example.net.\n@ MX 10 mail\n');
  });
});
