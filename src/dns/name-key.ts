import { labelStarts, lowerCase } from './labels.js';

/*
 * A name key has the labels in lower case from the root down, joined by blanks: `org example www`, empty for the root.
 * Equal names have equal keys (RFC 4343 §3). Keys sort in canonical order (RFC 4034 §6.1), so names below a name follow
 * it.
 */

const SEPARATOR = ' ';
/** Lowest octet that may follow a key without a separator. */
const BEHIND_SEPARATOR = '!';
const WILDCARD = '*';

/** Keys from `from` up to but excluding `to`, in bytewise order. */
export type KeyRange = readonly [from: string, to: string];

/** @param wire an uncompressed name (RFC 1035 §3.1) */
export function keyOf(wire: Uint8Array): string {
  let key = '';
  for (const start of labelStarts(wire).reverse()) {
    const end = start + 1 + (wire[start] ?? 0);
    if (key !== '') key += SEPARATOR;
    for (let at = start + 1; at < end; at++) key += OCTET_FORMS[wire[at] ?? 0] ?? '';
  }
  return key;
}

/** Ten times as fast as `keyOf` for names without unusual octets. */
export function isKeyOf(key: string, wire: Uint8Array): boolean {
  return isPlainKeyOf(key, wire) || keyOf(wire) === key;
}

function isPlainKeyOf(key: string, wire: Uint8Array): boolean {
  let at = key.length;
  for (let start = 0, length = wire[0] ?? 0; length !== 0; length = wire[start] ?? 0) {
    const end = start + 1 + length;
    at -= length;
    for (let octet = start + 1, inKey = at; octet < end; octet++, inKey++)
      if (key.charCodeAt(inKey) !== PLAIN_FORMS[wire[octet] ?? 0]) return false;
    start = end;
    if (wire[start] !== 0 && key[--at] !== SEPARATOR) return false;
  }
  return at === 0;
}

/** Returns the name in lower case (RFC 1035 §3.1). */
export function wireOfKey(key: string): Uint8Array {
  // A key is never shorter than its octets, and the first label has no separator.
  const wire = new Uint8Array(key.length + 2);
  let length = 0;
  for (let end = key.length; end > 0;) {
    const start = key.lastIndexOf(SEPARATOR, end - 1) + 1;
    const behind = writeLabel(key, start, end, wire, length + 1);
    wire[length] = behind - length - 1;
    length = behind;
    end = start - 1;
  }
  return wire.slice(0, length + 1);
}

/** Returns the offset after the label. */
function writeLabel(key: string, start: number, end: number, wire: Uint8Array, to: number): number {
  let behind = to;
  for (let at = start; at < end; at++) {
    const form = key.charCodeAt(at);
    if (form !== LOW_FORM && form !== HIGH_FORM) wire[behind++] = form;
    else {
      wire[behind++] = parseInt(key.slice(at + 1, at + 3), 16);
      at += 2;
    }
  }
  return behind;
}

/** Lower case with a final dot. Unusual octets keep their form in keys. */
export function plainNameOfKey(key: string): string {
  return `${key.split(SEPARATOR).reverse().join('.')}.`;
}

export function isKeyWithin(key: string, ancestorKey: string): boolean {
  if (!key.startsWith(ancestorKey)) return false;
  return ancestorKey === '' || key.length === ancestorKey.length || key[ancestorKey.length] === SEPARATOR;
}

export function keyAbove(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf(SEPARATOR)));
}

/** From the root down. */
export function keysAbove(key: string): string[] {
  return key === '' ? [] : keysOnPath('', keyAbove(key));
}

/** From the ancestor down to the name, both included. */
export function keysOnPath(ancestorKey: string, key: string): string[] {
  const keys = [ancestorKey];
  for (let end = ancestorKey.length; end < key.length;) {
    const next = key.indexOf(SEPARATOR, end + 1);
    end = next === -1 ? key.length : next;
    keys.push(key.slice(0, end));
  }
  return keys;
}

export function keysBelow(key: string): KeyRange {
  return key === '' ? [BEHIND_SEPARATOR, BEHIND_ALL] : [key + SEPARATOR, key + BEHIND_SEPARATOR];
}

export function keysWithin(key: string): KeyRange {
  return [key, keysBelow(key)[1]];
}

/** RFC 4592 §2.1.1. */
export function isWildcardKey(key: string): boolean {
  return key === WILDCARD || key.endsWith(SEPARATOR + WILDCARD);
}

export function wildcardKey(key: string): string {
  return key === '' ? WILDCARD : key + SEPARATOR + WILDCARD;
}

const DELETE = 0x7f;
const BEHIND_ALL = String.fromCharCode(DELETE);

const [LOW_FORM, HIGH_FORM] = [0x21, 0x7e];
/** `!hh` or `~hh` for octets that sort up to the separator or after `~`, which keeps their order. */
const OCTET_FORMS = Array.from({ length: 256 }, (_, octet) => {
  if (octet > LOW_FORM && octet < HIGH_FORM) return String.fromCharCode(lowerCase(octet));
  return `${octet < HIGH_FORM ? '!' : '~'}${octet.toString(16).padStart(2, '0')}`;
});

/** Character of each octet; 0 for forms with several characters. */
const PLAIN_FORMS = Uint8Array.from(OCTET_FORMS, (form) => (form.length === 1 ? form.charCodeAt(0) : 0));
