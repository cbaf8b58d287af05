import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { processorTime } from '../../../test/support/processor-time.js';
import { parseForwarded } from './proxy-headers.js';

/** In milliseconds, for 16 KiB, which is as long as all headers of a request may be. */
const LONGEST_MS = 200;

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function read(text: string): readonly Record<string, string>[] | null {
  return parseForwarded(text)?.map((element) => Object.fromEntries(element)) ?? null;
}

describe('parseForwarded', () => {
  it.each<[string, readonly Record<string, string>[]]>([
    ['for=192.0.2.43', [{ for: '192.0.2.43' }]],
    ['for=192.0.2.60;proto=http;by=203.0.113.43', [{ for: '192.0.2.60', proto: 'http', by: '203.0.113.43' }]],
    ['For="[2001:db8:cafe::17]:4711"', [{ for: '[2001:db8:cafe::17]:4711' }]],
    ['for=192.0.2.43, for=198.51.100.17', [{ for: '192.0.2.43' }, { for: '198.51.100.17' }]],
    ['for=_hidden, for=_SEVKISEK', [{ for: '_hidden' }, { for: '_SEVKISEK' }]],
    ['host="a, b; c=\\"d\\"";proto=https', [{ host: 'a, b; c="d"', proto: 'https' }]],
    ['proto=https ; host=example.org', [{ proto: 'https', host: 'example.org' }]],
    [';proto=https;', [{ proto: 'https' }]],
    [', proto=https,', [{ proto: 'https' }]],
    ['', []],
  ])('reads %j (RFC 7239 §4)', (text, elements) => {
    expect(read(text)).toEqual(elements);
  });

  it.each([
    'proto',
    'proto=',
    '=https',
    'proto =https',
    'proto= https',
    'host=example.org:8443',
    'host="example.org',
    'host="a"b',
    'proto=https proto=http',
    'proto=https;Proto=http',
    'for=[2001:db8::1]',
    'host=<b>',
    'host="a\u0000b"',
    '\u00a0proto=https',
  ])('refuses %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('reads its own output for any values', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
    const value = fc.oneof(fc.stringMatching(/^[!-~\t ]*$/), fc.webUrl(), fc.ipV6());
    const elements = fc.array(fc.dictionary(name, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(elements, (written) => {
        expect(read(written.map(write).join(', '))).toEqual(written);
      }),
    );
  });

  it('reads or refuses any text in a time that grows with its length alone', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseForwarded(text)));
    for (const piece of ['"', '\\', 'a="', ';', ' ', ', ', 'a=b;', 'a=b, ', 'a=', '"\\']) {
      const text = piece.repeat((16 * 1024) / piece.length);
      const begun = processorTime();
      parseForwarded(text);
      expect(processorTime() - begun).toBeLessThan(LONGEST_MS);
    }
  });
});

function write(element: Readonly<Record<string, string>>): string {
  const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`;
  return Object.entries(element)
    .map(([name, value]) => `${name}=${TOKEN.test(value) ? value : quoted(value)}`)
    .join(';');
}
