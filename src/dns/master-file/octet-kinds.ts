/** Octets in a master file (RFC 1035 §5.1). */
export const PLAIN = 0;
export const HIGH = 1;
export const BLANK = 2;
export const LINE_FEED = 3;
export const CARRIAGE_RETURN = 4;
export const SEMICOLON = 5;
export const QUOTE = 6;
export const OPEN = 7;
export const CLOSE = 8;
export const BACKSLASH = 9;
export const CONTROL = 10;

const SPECIAL: ReadonlyMap<string, number> = new Map([
  [' ', BLANK],
  ['\t', BLANK],
  ['\n', LINE_FEED],
  ['\r', CARRIAGE_RETURN],
  [';', SEMICOLON],
  ['"', QUOTE],
  ['(', OPEN],
  [')', CLOSE],
  ['\\', BACKSLASH],
]);

const KINDS = Uint8Array.from(
  { length: 256 },
  (_, octet) => SPECIAL.get(String.fromCharCode(octet)) ?? unmarkedKind(octet),
);

/** @param text one character for each octet */
export function kindAt(text: string, at: number): number {
  return KINDS[text.charCodeAt(at)] ?? CONTROL;
}

function unmarkedKind(octet: number): number {
  if (octet > 0x7f) return HIGH;
  return octet > 0x20 && octet < 0x7f ? PLAIN : CONTROL;
}
