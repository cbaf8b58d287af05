import { unsafe as readIniText } from 'ini';

import { ConfigError } from './config-error.js';

/** `[section]` when `option` is null, else an option in it. */
export interface IniLine {
  /** `path:line`, for messages */
  readonly where: string;
  readonly section: string;
  readonly option: { readonly name: string; readonly value: string } | null;
}

/**
 * Walks an INI file line by line; only the text of a value is left to the `ini` package. Its `parse` would pass over a
 * line it does not understand, let the last of two equal options win, nest a section at each dot, and turn `true` into
 * a boolean, without a word or a line number.
 *
 * @throws ConfigError for a line that is no INI; a line that could not be read is not shown, it may hold a secret
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

/** `'text as it stands'`, `"text with \" and \\"`, or bare text, each with or without a comment behind it. */
function readValue(raw: string): string | undefined {
  const quoted = /^(?:'([^']*)'|("(?:[^"\\]|\\.)*"))\s*(?:[;#].*)?$/s.exec(raw);
  if (quoted?.[1] !== undefined) return quoted[1];
  if (quoted?.[2] !== undefined) return readDoubleQuoted(quoted[2]);
  return /^["']/.test(raw) || isCutShort(raw) ? undefined : readIniText(raw);
}

/** `ini` reads them as JSON, and leaves the quotes in place when that fails. */
function readDoubleQuoted(raw: string): string | undefined {
  const value = readIniText(raw);
  return value === raw ? undefined : value;
}

/** Whether a comment would begin without a blank before it, as in a password with `#`: half of it would be lost. */
function isCutShort(raw: string): boolean {
  const [, value = '', comment] = /^((?:[^\\;#]|\\.?)*)(.*)$/s.exec(raw) ?? [];
  return comment !== '' && /\S$/.test(value);
}
