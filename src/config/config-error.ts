/** Prevents the start. The message is one line with place, section, option, value and what is allowed. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replace(UNPRINTABLE, escape));
    this.name = 'ConfigError';
  }
}

/** A path or a value may contain line breaks or escape sequences of a terminal; they are shown escaped. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const MAX_QUOTED_LENGTH = 200;

/** Quotes text from outside, up to 200 characters. What precedes an `@`, as credentials in a URL do, is masked. */
export function quote(text: string): string {
  const masked = text.replace(/^.*@/s, '***@');
  return masked.length > MAX_QUOTED_LENGTH ? `"${masked.slice(0, MAX_QUOTED_LENGTH)}"…` : `"${masked}"`;
}
