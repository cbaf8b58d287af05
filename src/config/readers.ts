/** Parser for the text of an option. */
export interface Reader<T> {
  /** Allowed texts, for errors and the reference. */
  readonly allowed: string;
  /** Returns `undefined` for a text that is not allowed. */
  readonly read: (text: string) => T | undefined;
  /** Reason that `allowed` does not give. Must not quote the text, which may be a secret. */
  readonly whyNot?: (text: string) => string | undefined;
}

const CONTROL = /\p{Cc}/u;

/** Trims the text and refuses control characters. */
export function reader<T>(
  allowed: string,
  parse: (text: string) => T | undefined,
  whyNot: (text: string) => string | undefined = () => undefined,
): Reader<T> {
  return {
    allowed,
    whyNot: (text) => whyNot(text.trim()),
    read: (text) => {
      const trimmed = text.trim();
      return CONTROL.test(trimmed) ? undefined : parse(trimmed);
    },
  };
}

/** Keeps blanks at both ends, which may belong to a password. */
export const secret: Reader<string> = {
  allowed: 'text without control characters',
  read: (value) => (value === '' || CONTROL.test(value) ? undefined : value),
};

/** Tokens are sent in a header: blanks end them, and programs disagree about other characters. */
export const token: Reader<string> = {
  allowed: 'at least 16 visible ASCII characters, no blanks',
  read: (value) => (/^[!-~]{16,}$/.test(value) ? value : undefined),
};

export const text = reader('text', (value) => (value === '' ? undefined : value));

/** Role names ignore case. */
export const roleName = reader('name of a role', (value) => (value === '' ? undefined : value.toLowerCase()));

/** A `typ` header, which ignores case (RFC 7515 §4.1.9). */
export const tokenType = reader('token type as in at+jwt', (value) =>
  /^[\w.+-]+$/.test(value) ? value.toLowerCase() : undefined,
);

/** A claim, or a path of claims with dots. A URI (RFC 7519 §4.2) is a single name. */
export const claimPath = reader('claim as in tenant_id, realm_access.roles or https://example.org/roles', (value) => {
  const names = value.includes('://') ? [value] : value.split('.');
  return names.includes('') ? undefined : names;
});

/** `Composition` checks that the extension exists. */
export const extensionName = reader('extension name', (value) => (/^[\w-]+$/.test(value) ? value : undefined));

/** A package name with an optional scope, or a path. */
export const packageName = reader(
  'name of a package, ./path or /path',
  (value) =>
    /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*(?:\/[\w.~/-]+)?$|^\.{0,2}\/./.test(value) ? value : undefined,
  (value) => (/^[a-z][a-z0-9+.-]*:/i.test(value) ? 'a URL would load code from elsewhere' : undefined),
);

/** `Composition` checks that the type exists. */
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

/** Largest signed 32-bit integer: the limit of a ttl (RFC 2181 §8) and of a quota. */
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

/** `1048576`, `1 MiB`, `10MB`: octets with binary or decimal units (IEC 80000-13). */
export const size = reader('number of octets from 1 to 1 GiB, with or without KiB, MiB, GiB, kB, MB or GB', (value) => {
  const [, digits, unit] = /^([1-9]\d{0,9}) *([a-z]*)$/i.exec(value) ?? [];
  const factor = UNITS.get(unit?.toLowerCase() ?? '');
  if (digits === undefined || factor === undefined) return undefined;
  const octets = Number(digits) * factor;
  return octets <= KIBI ** 3 ? octets : undefined;
});

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return reader(`one of ${choices.join(', ')}`, (value) => choices.find((choice) => choice === value));
}

/** One or more items, separated by commas. Rejects duplicates. */
export function list<T>(item: Reader<T>): Reader<readonly T[]> {
  const parse = (value: string): readonly T[] | undefined => {
    const written = value.split(',');
    const found = written.map(item.read).filter((each) => each !== undefined);
    return found.length === written.length && repetitionIn(written) === undefined ? found : undefined;
  };
  const whyNot = (value: string): string | undefined => {
    const written = value.split(',');
    const refused = written.find((each) => item.read(each) === undefined);
    return refused === undefined ? repetitionIn(written) : item.whyNot?.(refused);
  };
  return reader(`${item.allowed}; several separated by commas, each once`, parse, whyNot);
}

function repetitionIn(items: readonly string[]): string | undefined {
  const trimmed = items.map((each) => each.trim());
  const lower = trimmed.map((each) => each.toLowerCase());
  const again = lower.findIndex((each, index) => lower.indexOf(each) < index);
  if (again < 0) return undefined;
  const first = lower.indexOf(lower[again] ?? '');
  const reason = trimmed[first] === trimmed[again] ? '' : ', because capitals do not count';
  return `entry ${again + 1} is the same as entry ${first + 1}${reason}`;
}

/** Option that may be empty. */
export function orEmpty<T>(whenEmpty: NoInfer<T>, inner: Reader<T>): Reader<T>;
export function orEmpty<T, Empty>(whenEmpty: Empty, inner: Reader<T>): Reader<T | Empty>;
export function orEmpty<T, Empty>(whenEmpty: Empty, inner: Reader<T>): Reader<T | Empty> {
  return {
    allowed: `${inner.allowed}; or empty`,
    read: (value) => (value.trim() === '' ? whenEmpty : inner.read(value)),
    whyNot: (value) => inner.whyNot?.(value),
  };
}
