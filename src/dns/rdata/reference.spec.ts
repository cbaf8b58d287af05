import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { SOA, STANDARD_TYPES } from './index.js';
import { recordTypeExamples, recordTypeTable } from './reference.js';

const PAGE = 'docs/spec/record-types.md';

/** `npm run docs:types` sets UPDATE_DOCS: the page is then written before it is compared. */
if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, withTypes(readFileSync(PAGE, 'utf8')));

/** Insert at the markers that keep prettier from formatting. */
function withTypes(page: string): string {
  const place = /(?<=<!-- prettier-ignore-start -->\n).*(?=<!-- prettier-ignore-end -->)/s;
  const written = `\n${recordTypeTable(STANDARD_TYPES)}\n## Examples\n\n${recordTypeExamples(STANDARD_TYPES)}\n`;
  return page.replace(place, () => written);
}

describe('docs/spec/record-types.md', () => {
  it('is written from the types (npm run docs:types)', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toBe(withTypes(page));
    for (const { name } of STANDARD_TYPES) expect(page).toContain(`\n| [${name}](`);
  });

  it('has the rules of a type in its line', () => {
    expect(recordTypeTable(STANDARD_TYPES)).toContain(
      '| It does not stand at a wildcard: a delegation has one name. At a zone cut it',
    );
    expect(recordTypeTable([SOA])).toContain('| none | primary: domain name; mailbox: domain name; serial: number');
  });
});
