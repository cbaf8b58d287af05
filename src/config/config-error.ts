/** The start is refused: one line, naming where, section, option, value and what is allowed. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replace(UNPRINTABLE, escape));
    this.name = 'ConfigError';
  }
}

/** A path or a value may hold a line break or a terminal's escape sequence; neither reaches the log. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

function escape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const LONGEST_SHOWN = 200;

/** Text from outside, quoted and cut to a length that one line bears; what may be credentials in a URL is masked. */
export function quote(text: string): string {
  const masked = text.replace(/^.*@/s, '***@');
  return masked.length > LONGEST_SHOWN ? `"${masked.slice(0, LONGEST_SHOWN)}"…` : `"${masked}"`;
}
