import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { loadConfig, BUILT_IN_OPTIONS } from '../app/composition/built-in-options.js';
import { optionsIn, variableName } from './option.js';
import { exampleFile, optionTables } from './reference.js';

const OPTIONS = optionsIn(BUILT_IN_OPTIONS);
const EXAMPLE = 'zonewright.conf.example';
const GUIDE = 'docs/configuration.md';

/** `npm run docs:config` sets UPDATE_DOCS: the two files are then written before they are compared. */
if (process.env.UPDATE_DOCS === '1') {
  writeFileSync(EXAMPLE, exampleFile(OPTIONS));
  writeFileSync(GUIDE, withTables(readFileSync(GUIDE, 'utf8')));
}

/** The tables stand where the guide asks prettier to leave things alone. */
function withTables(guide: string): string {
  const place = /(?<=<!-- prettier-ignore-start -->\n).*(?=<!-- prettier-ignore-end -->)/s;
  return guide.replace(place, () => `\n${optionTables(OPTIONS)}\n`);
}

describe('the table of options', () => {
  it('names each option and each variable once', () => {
    expect(new Set(OPTIONS.map(({ section, name }) => `${section} ${name}`)).size).toBe(OPTIONS.length);
    expect(new Set(OPTIONS.map(({ section, name }) => variableName(section, name))).size).toBe(OPTIONS.length);
  });
});

describe('zonewright.conf.example', () => {
  it('is written from the table (npm run docs:config)', () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(exampleFile(OPTIONS));
  });

  it('changes nothing, as shipped and with every option uncommented', () => {
    const cwd = mkdtempSync(join(tmpdir(), 'zonewright-example-'));
    const defaults = loadConfig({ cwd, env: {} });
    for (const text of [exampleFile(OPTIONS), exampleFile(OPTIONS).replace(/^#(?=\w)/gm, '')]) {
      writeFileSync(join(cwd, 'zonewright.conf'), text);
      expect(loadConfig({ cwd, env: {} })).toEqual(defaults);
    }
    rmSync(cwd, { recursive: true });
  });

  it('names every option', () => {
    for (const { name } of OPTIONS) expect(exampleFile(OPTIONS)).toContain(`\n#${name} =`);
  });
});

describe('docs/configuration.md', () => {
  it('holds the tables (npm run docs:config)', () => {
    const guide = readFileSync(GUIDE, 'utf8');
    expect(guide).toContain(optionTables(OPTIONS));
    expect(guide).toBe(withTables(guide));
  });
});
