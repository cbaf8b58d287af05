import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { DomainName, NameError } from './name.js';
import { processorTime } from '../../test/support/processor-time.js';

const ORIGIN = DomainName.parse('Example.ORG.');
const LONGEST_LABEL = 'a'.repeat(63);
const LONGEST_NAME = `${`${LONGEST_LABEL}.`.repeat(3)}${'b'.repeat(61)}.`;

describe('DomainName.parse', () => {
  it.each([
    ['www.example.org.', '0377777707 6578616d706c65 036f7267 00'],
    ['.', '00'],
    ['WWW.org.', '03575757 036f7267 00'],
    [String.raw`a\.b.org.`, '03612e62 036f7267 00'],
    [String.raw`a\032b\000.`, '0461206200 00'],
    [String.raw`\255\\\".`, '03ff5c22 00'],
    ['a@b.', '03614062 00'],
    ['*._x-.!$%.', '012a 035f782d 03212425 00'],
  ])('reads %j', (text, hex) => {
    expect(hexOf(DomainName.parse(text))).toBe(hex.replaceAll(' ', ''));
  });

  it.each([
    ['www', 'www.Example.ORG.'],
    ['@', 'Example.ORG.'],
    [String.raw`a\.`, String.raw`a\..Example.ORG.`],
    [String.raw`a\000`, String.raw`a\000.Example.ORG.`],
    ['www.example.net.', 'www.example.net.'],
    ['.', '.'],
  ])('completes %j with an origin', (text, absolute) => {
    expect(DomainName.parse(text, ORIGIN).toString()).toBe(absolute);
  });

  it.each([
    ['', 'empty'],
    ['www', 'end it with a dot'],
    ['192.0.2.1', 'end it with a dot'],
    ['@', '@'],
    ['..', 'empty label'],
    ['.org.', 'empty label'],
    ['a..org.', 'empty label'],
    ['a b.', 'blank'],
    ['a.\n', 'blank'],
    ['a\t.', 'blank'],
    ['a\u0000.', 'blank'],
    ['a\u007f.', 'blank'],
    ['a;b.', ';'],
    ['"a".', '"'],
    ['(a.', '('],
    ['a).', ')'],
    [String.raw`a\.`, 'end it with a dot'],
    ['a.\\', 'escape'],
    [String.raw`\256.`, 'escape'],
    [String.raw`\25.`, 'escape'],
    [String.raw`a.\25`, 'escape'],
    [String.raw`\2x5.`, 'escape'],
    ['\\\n.', 'escape'],
    ['bücher.example.', 'xn--bcher-kva.example.'],
    ['_x.BÜCHER.example.', '_x.xn--bcher-kva.example.'],
    ['例え.テスト.', 'xn--r8jz45g.xn--zckzah.'],
    ['\\é.', 'escape'],
    ['\ud800.', 'not ASCII'],
    [`${LONGEST_LABEL}a.`, '63'],
    [`${LONGEST_NAME.slice(0, -1)}b.`, '255'],
    ['a.'.repeat(128), '255'],
    ['é'.repeat(5000), '255'],
  ])('refuses %j and says why', (text, reason) => {
    expect(() => DomainName.parse(text)).toThrow(NameError);
    expect(() => DomainName.parse(text)).toThrow(reason);
  });

  it('accepts a name of 255 octets at most', () => {
    expect(DomainName.parse(LONGEST_NAME).wire).toHaveLength(255);
    expect(DomainName.parse('a.'.repeat(127)).labelCount).toBe(127);
    expect(DomainName.parse(String.raw`\097.`.repeat(127)).wire).toHaveLength(255);
    expect(() => DomainName.parse(LONGEST_NAME.slice(0, -1), ORIGIN)).toThrow('255');
  });

  it('is not slowed down by long text', () => {
    const started = processorTime();
    for (const text of ['a'.repeat(1e7), '\\'.repeat(1e7), 'ü'.repeat(1e7), 'a-'.repeat(5e6)]) {
      expect(() => DomainName.parse(text)).toThrow(NameError);
    }
    expect(processorTime() - started).toBeLessThan(1000);
  });
});

describe('DomainName.read', () => {
  it('reads a name out of the middle of other octets', () => {
    const name = DomainName.read(Buffer.from('ffff0377777700ff', 'hex'), 2);
    expect(name.toString()).toBe('www.');
    expect(name.wire).toHaveLength(5);
  });

  it.each([['03'], ['0377'], ['03777777'], [''], ['c000'], ['4000'], [`3f${'61'.repeat(63)}`.repeat(4) + '00']])(
    'refuses the octets %s',
    (hex) => {
      expect(() => DomainName.read(Buffer.from(hex, 'hex'))).toThrow(NameError);
    },
  );

  it('refuses an offset behind the octets', () => {
    expect(() => DomainName.read(Uint8Array.of(0), 1)).toThrow(NameError);
  });
});

describe('DomainName', () => {
  it('has labels', () => {
    const name = DomainName.parse('www.example.org.');
    expect(name.labels.map((label) => Buffer.from(label).toString())).toEqual(['www', 'example', 'org']);
    expect(name.labelCount).toBe(3);
    expect(DomainName.ROOT.labels).toEqual([]);
    expect(DomainName.ROOT.labelCount).toBe(0);
  });

  it('writes the form that every name server reads alike', () => {
    expect(DomainName.parse(String.raw`a-b_c/*.\@\$\!.\\.\.\032\200.`).toString()).toBe(
      String.raw`a-b_c/*.\064\036\033.\092.\.\032\200.`,
    );
  });

  it('is the same name in either case', () => {
    const name = DomainName.parse('WWW.Example.org.');
    expect(name.equals(DomainName.parse('www.example.ORG.'))).toBe(true);
    expect(name.equals(DomainName.parse('www.example.net.'))).toBe(false);
    expect(name.canonical.toString()).toBe('www.example.org.');
    expect(name.key).toBe('org example www');
    expect(DomainName.parse('[.').equals(DomainName.parse('{.'))).toBe(false);
  });

  it.each([
    ['www.example.org.', true],
    ['EXAMPLE.org.', true],
    ['a.b.example.org.', true],
    ['example.net.', false],
    ['badexample.org.', false],
    ['org.', false],
    ['.', false],
    [String.raw`\007example.org.`, false],
    [String.raw`x\.example.org.`, false],
  ])('knows whether %s lies within example.org.', (text, within) => {
    const name = DomainName.parse(text);
    expect(name.isWithin(ORIGIN)).toBe(within);
    expect(name.isWithin(DomainName.ROOT)).toBe(true);
  });

  it('sorts its keys like the example of RFC 4034 §6.1', () => {
    const sorted = ['example.', 'a.example.', 'yljkjljk.a.example.', 'Z.a.example.', 'zABC.a.EXAMPLE.', 'z.example.'];
    const last = [String.raw`\001.z.example.`, '*.z.example.', String.raw`\200.z.example.`];
    const keys = [...sorted, ...last].map((text) => DomainName.parse(text).key);
    expect([...keys].reverse().sort()).toEqual(keys);
  });
});

describe('any name', () => {
  const label = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 63 }),
    fc.array(fc.constantFrom(...Buffer.from('aAzZ@[`{!~ .\\"-_*0\u0000\u007f')), { minLength: 1, maxLength: 4 }),
  );
  const name = fc
    .array(label, { maxLength: 8 })
    .map((labels) => Buffer.concat([...labels.map((octets) => Buffer.from([octets.length, ...octets])), Buffer.of(0)]))
    .filter((wire) => wire.length <= 255)
    .map((wire) => DomainName.read(wire));

  it('reads its own output', () => {
    fc.assert(
      fc.property(name, (any) => {
        expect(any.toString()).toMatch(/^[!-~]+$/);
        expect(DomainName.parse(any.toString()).wire).toEqual(any.wire);
        expect(DomainName.parse(any.toString().slice(0, -1) || '.', DomainName.ROOT).wire).toEqual(any.wire);
      }),
    );
  });

  it('has a key in printable ASCII that sorts as the canonical order does', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(a.key).toMatch(/^[ -~]*$/);
        expect(Math.sign(compareText(a.key, b.key))).toBe(Math.sign(compareCanonically(a, b)));
        expect(a.key === b.key).toBe(a.equals(b));
      }),
    );
  });

  it('lies within its ancestors and nowhere else', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const below = b.labelCount <= a.labelCount && tail(a, b.labelCount).equals(b);
        expect(a.isWithin(b)).toBe(below);
        for (let count = 0; count <= a.labelCount; count++) expect(a.isWithin(tail(a, count))).toBe(true);
      }),
    );
  });

  it('never fails in another way than as NameError', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'a.\\0129@*"; üß例\u200d\u0000'), maxLength: 40 }),
    );
    fc.assert(
      fc.property(text, (any) => {
        try {
          DomainName.parse(any);
          DomainName.parse(any, ORIGIN);
        } catch (error) {
          expect(error).toBeInstanceOf(NameError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

function hexOf(name: DomainName): string {
  return Buffer.from(name.wire).toString('hex');
}

function tail(name: DomainName, count: number): DomainName {
  const skipped = name.labels.slice(0, name.labelCount - count);
  return DomainName.read(
    name.wire,
    skipped.reduce((at, octets) => at + 1 + octets.length, 0),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** RFC 4034 §6.1, word for word: label by label from the right, as lower-case octets, a missing label first. */
function compareCanonically(a: DomainName, b: DomainName): number {
  const [these, those] = [a, b].map((name) => name.canonical.labels.toReversed()) as [Uint8Array[], Uint8Array[]];
  for (let at = 0; at < Math.min(these.length, those.length); at++) {
    const order = Buffer.compare(these[at] ?? Buffer.of(), those[at] ?? Buffer.of());
    if (order !== 0) return order;
  }
  return these.length - those.length;
}
