import { unsafe as readIniText } from 'ini';

import { ConfigError } from './config-error.js';

/** `option` is null for a section header. */
export interface IniLine {
  readonly where: string;
  readonly section: string;
  readonly option: { readonly name: string; readonly value: string } | null;
}

/**
 * Uses `ini` for values only: its `parse` silently ignores unknown lines, overwrites duplicates and nests at dots.
 * @throws ConfigError for an invalid line, which it does not show because it may contain a secret
 */
export function readIni(path: string, text: string): IniLine[] {
  const lines: IniLine[] = [];
  let section: string | undefined;
  for (const [index, line] of text.split(/\r\n|[\r\n]/).entries()) {
    const where = `${path}:${index + 1}`;
    if (/^\s*(?:[;#]|$)/.test(line)) continue;
    const opened = /^\s*\[([^[\]]*)\]\s*(?:[;#].*)?$/s.exec(line)?.[1]?.trim();
    section = opened ?? section;
    if (section === undefined) throw new ConfigError(`${where}: stands before the first section; begin with [DEFAULT]`);
    lines.push({ where, section, option: opened === undefined ? readOption(where, line) : null });
  }
  return lines;
}

function readOption(where: string, line: string): IniLine['option'] {
  const [, name, raw] = /^\s*([\w.-]+)\s*=(.*)$/s.exec(line) ?? [];
  if (name === undefined || raw === undefined) {
    throw new ConfigError(`${where}: cannot be read; allowed are [section], option = value, and comments after # or ;`);
  }
  const value = readValue(raw.trim());
  if (value === undefined) {
    throw new ConfigError(
      `${where}: the value of ${name} cannot be read; put "…" around a value that holds # or ; or begins with a quote`,
    );
  }
  return { name, value };
}

/** Reads `'literal text'`, `"text with \" and \\"` or bare text, with or without a comment after it. */
function readValue(raw: string): string | undefined {
  const quoted = /^(?:'([^']*)'|("(?:[^"\\]|\\.)*"))\s*(?:[;#].*)?$/s.exec(raw);
  if (quoted?.[1] !== undefined) return quoted[1];
  if (quoted?.[2] !== undefined) return readDoubleQuoted(quoted[2]);
  return /^["']/.test(raw) || isCutShort(raw) ? undefined : readIniText(raw);
}

/** `ini` parses quoted text as JSON. If that fails, it returns the text with its quotes. */
function readDoubleQuoted(raw: string): string | undefined {
  const value = readIniText(raw);
  return value === raw ? undefined : value;
}

/** `ini` would drop the text after a `#` or `;` without a blank, as in a password. */
function isCutShort(raw: string): boolean {
  const [, value = '', comment] = /^((?:[^\\;#]|\\.?)*)(.*)$/s.exec(raw) ?? [];
  return comment !== '' && /\S$/.test(value);
}
