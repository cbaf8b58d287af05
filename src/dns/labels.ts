import tr46 from 'tr46';

const HYPHEN = 0x2d;
const ASTERISK = 0x2a;
const UNDERSCORE = 0x5f;

/** Letters, digits, inner `-`, and `_`, which zones use (RFC 8552) although RFC 952 forbids it. */
export function isHostLabel(label: Uint8Array): boolean {
  return hasInnerHyphensOnly(label) && label.every(isHostOctet);
}

/** Only host labels, and no A-label. One pass over the octets, because zone files call it for each name. */
export function isPlainHostName(wire: Uint8Array): boolean {
  for (let at = 0, length = wire[0] ?? 0; length !== 0; length = wire[at] ?? 0) {
    const end = at + 1 + length;
    if (wire[at + 1] === HYPHEN || wire[end - 1] === HYPHEN) return false;
    if (wire[at + 3] === HYPHEN && wire[at + 4] === HYPHEN) return false;
    while (++at < end) if (HOST_OCTETS[wire[at] ?? 0] !== 1) return false;
  }
  return true;
}

export function hasInnerHyphensOnly(label: Uint8Array): boolean {
  return label[0] !== HYPHEN && label[label.length - 1] !== HYPHEN;
}

export function isHostOctet(octet: number): boolean {
  return HOST_OCTETS[octet] === 1;
}

/** Only a label of a single `*` is a wildcard (RFC 4592 §2.1.1). */
export function isWildcardLabel(label: Uint8Array | undefined): boolean {
  return label?.length === 1 && label[0] === ASTERISK;
}

/** Labels like `_sip` and `_tcp` (RFC 8552 §1.1). */
export function isServiceLabel(label: Uint8Array | undefined): boolean {
  return label !== undefined && label.length > 1 && label[0] === UNDERSCORE;
}

/** Offsets of the length octets, without the root. */
export function labelStarts(wire: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0, length = wire[0] ?? 0; length !== 0; length = wire[at] ?? 0) {
    starts.push(at);
    at += length + 1;
  }
  return starts;
}

/** Only ASCII letters have two cases (RFC 4343 §3). */
export function lowerCase(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet;
}

const HOST_OCTETS = Uint8Array.from({ length: 256 }, (_, octet) =>
  /^[0-9A-Za-z_-]$/.test(String.fromCharCode(octet)) ? 1 : 0,
);

/** Returns ASCII (UTS 46) or null. Takes more than linear time. */
export function toALabels(name: string): string | null {
  return tr46.toASCII(name, { checkBidi: true, checkJoiners: true });
}

export function isALabel(label: string): boolean {
  return !tr46.toUnicode(label, { checkBidi: true, checkJoiners: true }).error;
}
