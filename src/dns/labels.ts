const HYPHEN = 0x2d;
const ASTERISK = 0x2a;
const UNDERSCORE = 0x5f;

/** Letters, digits, `-` inside, and `_`, which real zones use (RFC 8552) although RFC 952 does not know it. */
export function isHostLabel(label: Uint8Array): boolean {
  return hasInnerHyphensOnly(label) && label.every(isHostOctet);
}

export function hasInnerHyphensOnly(label: Uint8Array): boolean {
  return label[0] !== HYPHEN && label[label.length - 1] !== HYPHEN;
}

export function isHostOctet(octet: number): boolean {
  return HOST_OCTETS[octet] === 1;
}

/** RFC 4592 §2.1.1: `*` is a wildcard only as a whole label. */
export function isWildcardLabel(label: Uint8Array | undefined): boolean {
  return label?.length === 1 && label[0] === ASTERISK;
}

/** RFC 8552 §1.1: `_sip`, `_tcp` and their like. */
export function isServiceLabel(label: Uint8Array | undefined): boolean {
  return label !== undefined && label.length > 1 && label[0] === UNDERSCORE;
}

const HOST_OCTETS = Uint8Array.from({ length: 256 }, (_, octet) =>
  /^[0-9A-Za-z_-]$/.test(String.fromCharCode(octet)) ? 1 : 0,
);
