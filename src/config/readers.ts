/** Reads one option from its text; reading it is checking it. */
export interface Reader<T> {
  /** what may be written, for the error message and for the reference */
  readonly allowed: string;
  /** the value, or undefined when the text is not allowed */
  readonly read: (text: string) => T | undefined;
}

const CONTROL = /\p{Cc}/u;

/** A reader to which blanks around the text mean nothing, and which never sees a control character. */
export function reader<T>(allowed: string, parse: (text: string) => T | undefined): Reader<T> {
  return {
    allowed,
    read: (text) => {
      const trimmed = text.trim();
      return CONTROL.test(trimmed) ? undefined : parse(trimmed);
    },
  };
}

/** Whatever is written, down to the blanks around it: a password is not ours to tidy. */
export const secret: Reader<string> = {
  allowed: 'text without control characters',
  read: (value) => (value === '' || CONTROL.test(value) ? undefined : value),
};

/** A token travels in a header, where blanks end it and other characters depend on who reads it. */
export const token: Reader<string> = {
  allowed: 'at least 16 visible ASCII characters, no blanks',
  read: (value) => (/^[!-~]{16,}$/.test(value) ? value : undefined),
};

export const text = reader('text', (value) => (value === '' ? undefined : value));

/** Which extensions exist is known to the module graph. */
export const extensionName = reader('extension name', (value) => (/^[\w-]+$/.test(value) ? value : undefined));

/** Which types exist is known to the module graph. */
export const recordTypeName = reader('record type', (value) =>
  /^[A-Z][A-Za-z0-9-]{0,15}$/.test(value) ? value : undefined,
);

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off'];

export const boolean = reader('True or False (also 1/0, yes/no, on/off)', (value) => {
  const word = value.toLowerCase();
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : undefined;
});

export function integer(minimum: number, maximum: number): Reader<number> {
  return reader(`integer from ${minimum} to ${maximum}`, (value) => {
    if (!/^(?:0|-?[1-9]\d{0,9})$/.test(value)) return undefined;
    const number = Number(value);
    return number >= minimum && number <= maximum ? number : undefined;
  });
}

/** Largest signed 32-bit integer: the bound of a ttl (RFC 2181 §8) and of a quota. */
export const MAX_INT32 = 2_147_483_647;

export const ttl = integer(1, MAX_INT32);
export const quota = integer(0, MAX_INT32);

const KIBI = 1024;
const KILO = 1000;
const UNITS = new Map([
  ['', 1],
  ['b', 1],
  ['kib', KIBI],
  ['mib', KIBI ** 2],
  ['gib', KIBI ** 3],
  ['kb', KILO],
  ['mb', KILO ** 2],
  ['gb', KILO ** 3],
]);

/** `1048576`, `1 MiB`, `10MB`: binary and decimal units as IEC 80000-13 tells them apart. */
export const size = reader('number of octets from 1 to 1 GiB, with or without KiB, MiB, GiB, kB, MB or GB', (value) => {
  const [, digits, unit] = /^([1-9]\d{0,9}) *([a-z]*)$/i.exec(value) ?? [];
  const factor = UNITS.get(unit?.toLowerCase() ?? '');
  if (digits === undefined || factor === undefined) return undefined;
  const octets = Number(digits) * factor;
  return octets <= KIBI ** 3 ? octets : undefined;
});

export function oneOf<const Word extends string>(...words: readonly Word[]): Reader<Word> {
  return reader(`one of ${words.join(', ')}`, (value) => words.find((word) => word === value));
}

/** One or more, separated by commas; an item that comes twice is a slip, not a wish. */
export function list<T extends string>(item: Reader<T>): Reader<readonly T[]> {
  return reader(`${item.allowed}; several separated by commas, each once`, (value) => {
    const items = value.split(',').map(item.read);
    const found = items.filter((each) => each !== undefined);
    const distinct = new Set(found.map((each) => each.toLowerCase()));
    return distinct.size === items.length ? found : undefined;
  });
}

/** An option that may be left empty. */
export function orEmpty<T, Empty>(whenEmpty: Empty, inner: Reader<T>): Reader<T | Empty> {
  return {
    allowed: `${inner.allowed}; or empty`,
    read: (value) => (value.trim() === '' ? whenEmpty : inner.read(value)),
  };
}
