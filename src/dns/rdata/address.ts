/** RFC 1123 §2.1: four decimal groups without leading zeros; undefined when the text is something else. */
export function parseIpv4(text: string): Uint8Array | undefined {
  const groups = text.split('.', 5);
  return groups.length === 4 && groups.every(isDecimalOctet) ? Uint8Array.from(groups, Number) : undefined;
}

/** RFC 4291 §2.2 without zone id or brackets; undefined when the text is something else. */
export function parseIpv6(text: string): Uint8Array | undefined {
  const [head = '', tail, ...more] = text.split('::', 3);
  const before = parseGroups(head, tail === undefined);
  const after = parseGroups(tail ?? '', true);
  if (!before || !after || more.length > 0) return undefined;
  const gap = 16 - before.length - after.length;
  if (tail === undefined ? gap !== 0 : gap < 2) return undefined;
  return Uint8Array.of(...before, ...new Uint8Array(gap), ...after);
}

export function formatIpv4(octets: Uint8Array): string {
  return octets.join('.');
}

/** RFC 5952: lower case, the longest run of zero groups as `::`, IPv4-mapped addresses with their dotted tail. */
export function formatIpv6(octets: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((octets[2 * at] ?? 0) << 8) | (octets[2 * at + 1] ?? 0));
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return `::ffff:${formatIpv4(octets.subarray(12))}`;
  const { start, length } = longestZeroRun(groups);
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

/** The octets of groups between colons; only the last group of an address may be dotted. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':', 9);
  const dotted = isLast ? parseIpv4(groups.at(-1) ?? '') : undefined;
  if (dotted) groups.pop();
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return undefined;
  return [...groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]), ...(dotted ?? [])];
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
