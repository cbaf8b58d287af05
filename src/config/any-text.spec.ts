import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { loadConfig, BUILT_IN_OPTIONS } from '../app/composition/built-in-options.js';
import { ConfigError } from './load-config.js';
import { optionsIn, variableName } from './option.js';
import { times } from '../../test/support/length.js';

const cwd = mkdtempSync(join(tmpdir(), 'zonewright-any-text-'));
afterAll(() => {
  rmSync(cwd, { recursive: true });
});

/** Whether the configuration is accepted. A refusal is a ConfigError of one line; any other error is thrown. */
function isAccepted(file: string | Buffer, env: Record<string, string> = {}): boolean {
  writeFileSync(join(cwd, 'zonewright.conf'), file);
  try {
    loadConfig({ cwd, env });
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,1000}$/u);
    return false;
  } finally {
    expect(Reflect.ownKeys(Object.prototype)).toEqual(untouched);
  }
}

const untouched = Reflect.ownKeys(Object.prototype);

const anyText = fc.string({ unit: 'binary' });
const punctuation = fc.stringMatching(/^[[\]{}="'\\;#. \t\r\n\u2028a]*$/);
const anyOption = fc.constantFrom(...optionsIn(BUILT_IN_OPTIONS));

/** Lines that come close to the format, among lines that do not. */
const line = fc.oneof(
  fc.constantFrom('[auth]', '[database]', '[__proto__]', '[a.__proto__]', "['null']", "'null' = 1", '__proto__[]=1'),
  fc
    .tuple(anyOption, fc.oneof(anyText, punctuation))
    .map(([{ section, name }, value]) => `[${section}]\n${name} = ${value}`),
  anyOption.map(({ section, name, default: value }) => `[${section}]\n${name} = ${value} # comment`),
  anyText,
  punctuation,
);

describe('arbitrary file contents', () => {
  it('is a configuration or one line of refusal', () => {
    const text = fc.tuple(fc.array(line), fc.constantFrom('\n', '\r\n', '\r')).map(([lines, end]) => lines.join(end));
    fc.assert(
      fc.property(text, (file) => {
        isAccepted(file);
      }),
      { numRuns: times(250, 1000) },
    );
  });

  it('may be no text at all', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (octets) => {
        isAccepted(Buffer.from(octets));
      }),
    );
  });

  it('in double quotes is read back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (password) => {
        fc.pre(password.trim() !== '');
        writeFileSync(join(cwd, 'zonewright.conf'), `[keystone_authtoken]\npassword = ${JSON.stringify(password)} # c`);
        expect(loadConfig({ cwd, env: {} }).keystone.password).toBe(password);
      }),
    );
  });
});

describe('arbitrary variable values', () => {
  it('is a configuration or one line of refusal', () => {
    const variable = anyOption.map(({ section, name }) => variableName(section, name));
    const value = fc.oneof(anyText, punctuation, fc.ipV4(), fc.ipV6(), fc.webUrl(), fc.domain());
    fc.assert(
      fc.property(
        fc.oneof(
          variable,
          anyText.map((text) => `ZONEWRIGHT_X__${text}`),
        ),
        value,
        (name, text) => {
          isAccepted('', { [name]: text });
        },
      ),
      { numRuns: times(250, 1000) },
    );
  });
});
