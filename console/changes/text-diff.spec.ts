import { expect, it } from '@jest/globals';
import { type Chunk, diffOf } from './text-diff.js';

/** Changed characters in brackets. */
const shown = (chunks: readonly Chunk[]): string =>
  chunks.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');

function diff(before: string, after: string): readonly string[] {
  const { before: old, after: next } = diffOf(before, after);
  return [shown(old), shown(next)];
}

it('22.16 marks the characters in which two texts differ', () => {
  expect(diff('192.0.2.3', '192.0.2.77')).toEqual(['192.0.2.[3]', '192.0.2.[77]']);
  expect(diff('10 mail.example.org.', '20 mail.example.org.')).toEqual([
    '[1]0 mail.example.org.',
    '[2]0 mail.example.org.',
  ]);
  expect(diff('v=spf1 mx -all', 'v=spf1 mx include:spf.example -all')).toEqual([
    'v=spf1 mx -all',
    'v=spf1 mx [include:spf.example ]-all',
  ]);
  expect(diff('a b c', 'x b y')).toEqual(['[a] b [c]', '[x] b [y]']);
});

it('22.16 marks nothing in equal texts, and everything next to an empty one', () => {
  expect(diff('same', 'same')).toEqual(['same', 'same']);
  expect(diff('', 'new')).toEqual(['', '[new]']);
});

it('22.16 keeps both texts whole, whatever they contain', () => {
  const texts = [
    '',
    'a.b.c',
    'x'.repeat(500),
    '. . . . '.repeat(200),
    '😀 a',
    '😁 a',
    '\u202e"\\',
    'n1 n2 n3 '.repeat(90),
  ];
  for (const before of texts)
    for (const after of texts) {
      const found = diffOf(before, after);
      expect(found.before.map(({ text }) => text).join('')).toBe(before);
      expect(found.after.map(({ text }) => text).join('')).toBe(after);
    }
});
