import { labelStarts, lowerCase } from './labels.js';

/*
 * The key of a domain name is ASCII text: the labels in lower case from the root down, joined by blanks. The key of
 * `www.Example.org.` is `org example www`, that of the root is empty. Two names are the same exactly when their keys are
 * (RFC 4343 §3), and bytewise order of keys is canonical order of names (RFC 4034 §6.1), in which a name is followed at
 * once by all names below it.
 */

const SEPARATOR = ' ';
/** The lowest octet that may follow a key without a separator between. */
const BEHIND_SEPARATOR = '!';
const WILDCARD = '*';

/** All keys that are `from` or higher, and lower than `to`, in bytewise order. */
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

/** Whether the text is the key of the name. For names without unusual octets it takes a tenth of making the key. */
export function isKeyOf(key: string, wire: Uint8Array): boolean {
  return isPlainKeyOf(key, wire) || keyOf(wire) === key;
}

/** The same for keys in which each octet is one character. */
function isPlainKeyOf(key: string, wire: Uint8Array): boolean {
  let at = key.length;
  for (let start = 0, length = wire[0] ?? 0; length !== 0; length = wire[start] ?? 0) {
    const end = start + 1 + length;
    at -= length;
    for (let octet = start + 1, inKey = at; octet < end; octet++, inKey++) {
      if (key.charCodeAt(inKey) !== PLAIN_FORMS[wire[octet] ?? 0]) return false;
    }
    start = end;
    if (wire[start] !== 0 && key[--at] !== SEPARATOR) return false;
  }
  return at === 0;
}

/** The uncompressed name in lower case that has the key (RFC 1035 §3.1). */
export function wireOfKey(key: string): Uint8Array {
  // In keys no octet is shorter, and the first label has no separator.
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

/** Writes the octets of a label that is there in a key; returns where the next one goes. */
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

/** The name in lower case with its final dot; octets that have no character keep the form that they have in keys. */
export function plainNameOfKey(key: string): string {
  return `${key.split(SEPARATOR).reverse().join('.')}.`;
}

/** Whether the name is the ancestor or lies below it. */
export function isKeyWithin(key: string, ancestorKey: string): boolean {
  if (!key.startsWith(ancestorKey)) return false;
  return ancestorKey === '' || key.length === ancestorKey.length || key[ancestorKey.length] === SEPARATOR;
}

/** The key of the name one label up; that of the root for a name of one label. */
export function keyAbove(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf(SEPARATOR)));
}

/** The keys of all names above the name, from the root down; none for the root. */
export function keysAbove(key: string): string[] {
  return key === '' ? [] : keysOnPath('', keyAbove(key));
}

/** The keys of all names on the way from the ancestor down to the name, both included. */
export function keysOnPath(ancestorKey: string, key: string): string[] {
  const keys = [ancestorKey];
  for (let end = ancestorKey.length; end < key.length;) {
    const next = key.indexOf(SEPARATOR, end + 1);
    end = next === -1 ? key.length : next;
    keys.push(key.slice(0, end));
  }
  return keys;
}

/** The range of the names below that name. */
export function keysBelow(key: string): KeyRange {
  return key === '' ? [BEHIND_SEPARATOR, BEHIND_ALL] : [key + SEPARATOR, key + BEHIND_SEPARATOR];
}

/** The range of the name and of those below it. */
export function keysWithin(key: string): KeyRange {
  return [key, keysBelow(key)[1]];
}

/** RFC 4592 §2.1.1: whether the leftmost label is `*`. */
export function isWildcardKey(key: string): boolean {
  return key === WILDCARD || key.endsWith(SEPARATOR + WILDCARD);
}

/** The key of the wildcard directly below that name. */
export function wildcardKey(key: string): string {
  return key === '' ? WILDCARD : key + SEPARATOR + WILDCARD;
}

const DELETE = 0x7f;
/** Higher than every key. */
const BEHIND_ALL = String.fromCharCode(DELETE);

/** What the forms of octets begin with that have more than one character. */
const [LOW_FORM, HIGH_FORM] = [0x21, 0x7e];
/** Octets that sort before or with the separator, or behind `~`, are written `!hh` or `~hh`, which keeps their order. */
const OCTET_FORMS = Array.from({ length: 256 }, (_, octet) => {
  if (octet > LOW_FORM && octet < HIGH_FORM) return String.fromCharCode(lowerCase(octet));
  return `${octet < HIGH_FORM ? '!' : '~'}${octet.toString(16).padStart(2, '0')}`;
});

/** The character that stands for an octet; 0, which no key has, where there are several. */
const PLAIN_FORMS = Uint8Array.from(OCTET_FORMS, (form) => (form.length === 1 ? form.charCodeAt(0) : 0));
