/** Escape in master-file text (RFC 1035 §5.1): `\DDD` is an octet in decimal, `\X` the character itself. */
export interface Escape {
  readonly octet: number;
  /** Characters, including the backslash. */
  readonly length: number;
}

export const ESCAPE_HELP = 'write \\DDD with three digits up to 255, or \\ and one character';

/** Returns undefined for a malformed escape. */
export function readEscape(text: string, backslash: number): Escape | undefined {
  const next = text.charCodeAt(backslash + 1);
  if (!isDigit(next)) return next >= 0x20 && next < 0x7f ? { octet: next, length: 2 } : undefined;
  const digits = text.slice(backslash + 1, backslash + 4);
  return /^[0-9]{3}$/.test(digits) && Number(digits) <= 255 ? { octet: Number(digits), length: 4 } : undefined;
}

/** Text of each octet: itself if `plain`, with a backslash if `escaped`, otherwise `\DDD`. */
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
