/** RFC 1035 §5.1: in master-file text `\DDD` is the octet of that decimal number and `\X` the character itself. */
export interface Escape {
  readonly octet: number;
  /** Characters that the escape takes, its backslash included. */
  readonly length: number;
}

export const ESCAPE_HELP = 'write \\DDD with three digits up to 255, or \\ and one character';

/** Reads the escape whose backslash stands at that place; undefined when it is none. */
export function readEscape(text: string, backslash: number): Escape | undefined {
  const next = text.charCodeAt(backslash + 1);
  if (!isDigit(next)) return next >= 0x20 && next < 0x7f ? { octet: next, length: 2 } : undefined;
  const digits = text.slice(backslash + 1, backslash + 4);
  return /^[0-9]{3}$/.test(digits) && Number(digits) <= 255 ? { octet: Number(digits), length: 4 } : undefined;
}

/** How each octet is written: `plain` characters as they are, `escaped` ones after a backslash, everything else as `\DDD`. */
export function presentationForms(plain: RegExp, escaped: string): readonly string[] {
  return Array.from({ length: 256 }, (_, octet) => {
    const character = String.fromCharCode(octet);
    if (escaped.includes(character)) return `\\${character}`;
    return plain.test(character) ? character : `\\${String(octet).padStart(3, '0')}`;
  });
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
