const HYPHEN = 0x2d;
const ASTERISK = 0x2a;
const UNDERSCORE = 0x5f;

/** Whether a host name may have the label: letters, digits, `-` inside, and `_`, which zones use (RFC 8552) and RFC 952 lacks. */
export function isHostLabel(label: Uint8Array): boolean {
  return hasInnerHyphensOnly(label) && label.every(isHostOctet);
}

/**
 * Whether every label of an uncompressed name is one of a host, and none is an A-label, which has rules of its own. One walk
 * over the octets: a zone file asks it of each of its names.
 */
export function isPlainHostName(wire: Uint8Array): boolean {
  for (let at = 0, length = wire[0] ?? 0; length !== 0; length = wire[at] ?? 0) {
    const end = at + 1 + length;
    if (wire[at + 1] === HYPHEN || wire[end - 1] === HYPHEN) return false;
    if (wire[at + 3] === HYPHEN && wire[at + 4] === HYPHEN) return false;
    while (++at < end) if (HOST_OCTETS[wire[at] ?? 0] !== 1) return false;
  }
  return true;
}

/** Whether the label neither begins nor ends with `-`. */
export function hasInnerHyphensOnly(label: Uint8Array): boolean {
  return label[0] !== HYPHEN && label[label.length - 1] !== HYPHEN;
}

/** Whether the octet is a letter, a digit, `-` or `_`. */
export function isHostOctet(octet: number): boolean {
  return HOST_OCTETS[octet] === 1;
}

/** Whether the whole label is `*`, which alone makes a wildcard (RFC 4592 §2.1.1). */
export function isWildcardLabel(label: Uint8Array | undefined): boolean {
  return label?.length === 1 && label[0] === ASTERISK;
}

/** Whether the label is `_` and more, like `_sip` or `_tcp` (RFC 8552 §1.1). */
export function isServiceLabel(label: Uint8Array | undefined): boolean {
  return label !== undefined && label.length > 1 && label[0] === UNDERSCORE;
}

/** The offsets of the labels of an uncompressed name, each that of its length octet; the root has none. */
export function labelStarts(wire: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0, length = wire[0] ?? 0; length !== 0; length = wire[at] ?? 0) {
    starts.push(at);
    at += length + 1;
  }
  return starts;
}

/** The octet in lower case: only ASCII letters have two cases (RFC 4343 §3). */
export function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}

const HOST_OCTETS = Uint8Array.from({ length: 256 }, (_, octet) =>
  /^[0-9A-Za-z_-]$/.test(String.fromCharCode(octet)) ? 1 : 0,
);
