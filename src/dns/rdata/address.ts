/** The four octets of a text of four decimal groups without leading zeros (RFC 1123 §2.1); undefined for any other text. */
export function parseIpv4(text: string): Uint8Array | undefined {
  const groups = text.split('.', 5);
  if (groups.length !== 4 || !groups.every(isDecimalOctet)) return undefined;
  const octets = new Uint8Array(4);
  groups.forEach((group, at) => (octets[at] = Number(group)));
  return octets;
}

/** The 16 octets of an address (RFC 4291 §2.2) without zone id or brackets; undefined for any other text. */
export function parseIpv6(text: string): Uint8Array | undefined {
  const [head = '', tail, ...more] = text.split('::', 3);
  const before = parseGroups(head, tail === undefined);
  const after = parseGroups(tail ?? '', true);
  if (!before || !after || more.length > 0) return undefined;
  const gap = 8 - before.length - after.length;
  if (tail === undefined ? gap !== 0 : gap < 1) return undefined;
  const octets = new Uint8Array(16);
  putGroups(before, octets, 0);
  putGroups(after, octets, 16 - 2 * after.length);
  return octets;
}

export function formatIpv4(octets: Uint8Array): string {
  return octets.join('.');
}

/** Writes an address as RFC 5952 recommends, IPv4-mapped ones with a dotted tail. */
export function formatIpv6(octets: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((octets[2 * at] ?? 0) << 8) | (octets[2 * at + 1] ?? 0));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `::ffff:${formatIpv4(octets.subarray(12))}`;
  const { start, length } = longestZeroRun(groups);
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** The numbers between colons. The last group of an address may be an IPv4 address, which makes two numbers. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  const texts = text === '' ? [] : text.split(':', 9);
  const dotted = isLast && text.includes('.') ? parseIpv4(texts.pop() ?? '') : [];
  if (!dotted || !texts.every(isHexGroup)) return undefined;
  const groups = texts.map((group) => parseInt(group, 16));
  for (let at = 0; at < dotted.length; at += 2) groups.push(((dotted[at] ?? 0) << 8) | (dotted[at + 1] ?? 0));
  return groups;
}

function putGroups(groups: readonly number[], octets: Uint8Array, start: number): void {
  groups.forEach((group, at) => {
    octets[start + 2 * at] = group >> 8;
    octets[start + 2 * at + 1] = group & 0xff;
  });
}

function isHexGroup(text: string): boolean {
  return /^[0-9A-Fa-f]{1,4}$/.test(text);
}

function isDecimalOctet(text: string): boolean {
  return /^(0|[1-9][0-9]{0,2})$/.test(text) && Number(text) <= 255;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0, at = 0; at < groups.length; at++) {
    if (groups[at] !== 0) start = at + 1;
    else if (at + 1 - start > longest.length) longest = { start, length: at + 1 - start };
  }
  return longest;
}

function hex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
