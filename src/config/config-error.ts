/** Prevents the start. The message has place, section, option, value and allowed values in one line. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replace(UNPRINTABLE, escape));
    this.name = 'ConfigError';
  }
}

/** Line breaks and terminal escape sequences in paths or values. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const MAX_QUOTED_LENGTH = 200;

/** Quotes up to 200 characters. Masks text before an `@`, such as credentials in a URL. */
export function quote(text: string): string {
  const masked = text.replace(/^.*@/s, '***@');
  return masked.length > MAX_QUOTED_LENGTH ? `"${masked.slice(0, MAX_QUOTED_LENGTH)}"…` : `"${masked}"`;
}
