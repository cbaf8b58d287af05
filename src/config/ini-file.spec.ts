import { describe, expect, it } from '@jest/globals';

import { ConfigError } from './config-error.js';
import { readIni } from './ini-file.js';

const valueOf = (text: string) => readIni('a.conf', `[s]\nname = ${text}`)[1]?.option?.value;

describe('an INI file', () => {
  it('consists of sections, options, comments and empty lines, with any line ends', () => {
    const text = '# c\r\n; c\n\n\t\n [ s ] # c\rname=a\n[t]\n  other.name-2 = b = c\n[s]';
    expect(readIni('a.conf', text)).toEqual([
      { where: 'a.conf:5', section: 's', option: null },
      { where: 'a.conf:6', section: 's', option: { name: 'name', value: 'a' } },
      { where: 'a.conf:7', section: 't', option: null },
      { where: 'a.conf:8', section: 't', option: { name: 'other.name-2', value: 'b = c' } },
      { where: 'a.conf:9', section: 's', option: null },
    ]);
  });

  it.each([
    ['', ''],
    ['a b', 'a b'],
    ['true', 'true'],
    ['null', 'null'],
    ['a # comment', 'a'],
    ['a ;comment', 'a'],
    ['# comment', ''],
    ['a\\#b\\;c\\\\d', 'a#b;c\\d'],
    ['C:\\data', 'C:\\data'],
    ['a\\', 'a\\'],
    ['it\'s "quoted"', 'it\'s "quoted"'],
    ['"a#b;c"', 'a#b;c'],
    ['"a\\"b\\\\c" # "comment"', 'a"b\\c'],
    ['"\\u00e4\\n"', 'ä\n'],
    ['""', ''],
    ["'a\\#b\"' ; comment", 'a\\#b"'],
    ['"a"#b"c', 'a'],
    ["'12'", '12'],
    ['\'{"a":1}\'', '{"a":1}'],
    ["''", ''],
    ['[::1]:9001', '[::1]:9001'],
  ])('holds the value %s', (text, value) => {
    expect(valueOf(text)).toBe(value);
  });

  it.each(['a#b', 'a;b', 'a\\\\#b', '"a', "'a", '"', "'", '"a" b', '"a"b"', "'a'b'", '"C:\\data"'])(
    'does not hold the value %s, which could be read in two ways',
    (text) => {
      expect(() => valueOf(text)).toThrow(
        new ConfigError(
          'a.conf:2: the value of name cannot be read; put "…" around a value that holds # or ; or begins with a quote',
        ),
      );
    },
  );

  it.each(['name', 'name: value', '= value', 'name[] = value', '[s', 's]', '[s]]', '[s] x', 'a b = c', '"name" = c'])(
    'does not hold the line %s',
    (line) => {
      expect(() => readIni('a.conf', `[s]\n${line}`)).toThrow(
        new ConfigError('a.conf:2: cannot be read; allowed are [section], option = value, and comments after # or ;'),
      );
    },
  );

  it('begins with a section', () => {
    expect(() => readIni('a.conf', '\nname = value')).toThrow(
      new ConfigError('a.conf:2: stands before the first section; begin with [DEFAULT]'),
    );
  });
});
