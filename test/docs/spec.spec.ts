import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { type Document, documentsIn, read } from '../support/documents.js';

const PAGE = /^docs\/spec\/(?<section>\d\d)-[\w-]+\.md$/;
const INTERFACE = 'docs/spec/interface.md';
/** Marks a planned rule. */
const MARK = '_Not built yet._';

/** A heading with its number, and the text up to the next heading. */
const NUMBERED = /^#{1,3} (?<number>\d+(?:\.\d+)?)\.? (?<body>.*?)(?=^#{1,3} |$(?![^]))/gms;
/** `behaviour 4.3`, `behaviour 1.6, 2.1`, `behaviour 4 and 5`, `rules 5.6 and 5.7`, also across the lines of a comment. */
const RULES_IN_TEXT =
  /\b(?:behaviour(?:\.md)?|rules?)(?:\s|\*)+(?<numbers>\d+(?:\.\d+)?(?:(?:, | and | to )\d+\.\d+)*(?: and \d+)?)\b/g;
/** `interface §4.1`. */
const SECTIONS_IN_TEXT = /\binterface(?:\.md)?\s+(?<numbers>§\d+(?:\.\d+)?)/g;
/** `it('5.7, 5.10 …`, `it.each(CASES)('§4.1 …`: the numbers that a title begins with. */
const NUMBERS_OF_TITLE =
  /(?:\b(?:it|describe|test)(?:\.\w+)*|\))\(\s*['"`](?<numbers>§?\d+\.\d+(?:(?:, | and )§?\d+\.\d+)*)[ :,]/g;

const documents = documentsIn(['src', 'test', 'docs', 'bench', 'examples', 'scripts'], /\.(?:ts|m?js|md)$/);
/** This one has examples of citations in it. */
const specs = documents.filter(({ path }) => path.endsWith('.spec.ts') && !path.startsWith('test/docs/'));
const pages = documents.filter(({ path }) => PAGE.test(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
const behaviour = pages.flatMap(numberedIn);
const sections = numberedIn({ path: INTERFACE, text: read(INTERFACE) }).map(({ number }) => `§${number}`);
const rules = behaviour.filter(({ number }) => number.includes('.'));
const planned = rules.filter(({ body }) => body.includes(MARK)).map(({ number }) => number);
const built = rules.map(({ number }) => number).filter((number) => !planned.includes(number));

describe('the pages of docs/spec', () => {
  it('have the number of their section in the file name', () => {
    const headings = pages.map(({ path, text }) => ({
      path,
      heading: /^# (?<number>\d+)\. /.exec(text)?.groups?.number,
    }));
    expect(headings).toEqual(
      pages.map(({ path }) => ({ path, heading: String(Number(PAGE.exec(path)?.groups?.section)) })),
    );
  });

  it('are listed with their rules in docs/spec/behaviour.md (npm run docs:spec writes it)', () => {
    execFileSync(process.execPath, ['scripts/spec-index.mjs', '--check'], { stdio: 'pipe' });
  });

  it('number their rules without a gap', () => {
    expect(behaviour.map(({ number }) => number)).toEqual(consecutive(behaviour.map(({ number }) => number)));
  });

  it('have a test for each rule that is built', () => {
    const tested = new Set(specs.flatMap(citedRules).map(({ number }) => number));
    expect(built.filter((number) => !tested.has(number))).toEqual([]);
  });

  it(`say "${MARK}" of no rule that has a test`, () => {
    const titles = specs.flatMap((spec) => citations(spec, NUMBERS_OF_TITLE));
    expect(titles.filter(({ number }) => planned.includes(number))).toEqual([]);
  });
});

describe('citations in code, tests and documents', () => {
  it('is a rule or a section of docs/spec', () => {
    const known = new Set(behaviour.map(({ number }) => number));
    expect(documents.flatMap(citedRules).filter(({ number }) => !known.has(number))).toEqual([]);
  });

  it('is a section of docs/spec/interface.md', () => {
    const cited = documents.flatMap((document) => [
      ...citations(document, SECTIONS_IN_TEXT),
      ...citations(document, NUMBERS_OF_TITLE).filter(({ number }) => number.startsWith('§')),
    ]);
    expect(cited.filter(({ number }) => !sections.includes(number))).toEqual([]);
  });
});

interface Numbered {
  readonly number: string;
  readonly body: string;
}

function numberedIn({ text }: Document): Numbered[] {
  return [...text.matchAll(NUMBERED)].map(({ groups }) => ({
    number: groups?.number ?? '',
    body: groups?.body ?? '',
  }));
}

interface Citation {
  readonly path: string;
  readonly number: string;
}

function citedRules(document: Document): Citation[] {
  return [RULES_IN_TEXT, NUMBERS_OF_TITLE]
    .flatMap((pattern) => citations(document, pattern))
    .filter(({ number }) => !number.startsWith('§'));
}

function citations({ path, text }: Document, pattern: RegExp): Citation[] {
  return [...text.matchAll(pattern)]
    .flatMap(({ groups }) => groups?.numbers?.match(/§?\d+(?:\.\d+)?/g) ?? [])
    .map((number) => ({ path, number }));
}

/** The numbers as they must be: sections from 1, each followed by its rules from 1. */
function consecutive(numbers: readonly string[]): string[] {
  let section = 0;
  let rule = 0;
  return numbers.map((number) => {
    if (number.includes('.')) return `${section}.${(rule += 1)}`;
    rule = 0;
    return String((section += 1));
  });
}
