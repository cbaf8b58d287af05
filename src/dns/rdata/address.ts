/** Decimal groups without leading zeros (RFC 1123 §2.1). */
export function parseIpv4(text: string): Uint8Array | undefined {
  const groups = text.split('.', 5);
  if (groups.length !== 4 || !groups.every(isDecimalOctet)) return undefined;
  const octets = new Uint8Array(4);
  groups.forEach((group, at) => (octets[at] = Number(group)));
  return octets;
}

/** RFC 4291 §2.2, without zone id or brackets. */
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
  return `${octets[0] ?? 0}.${octets[1] ?? 0}.${octets[2] ?? 0}.${octets[3] ?? 0}`;
}

const GROUPS = 8;

/** RFC 5952; IPv4-mapped addresses have a dotted tail. */
export function formatIpv6(octets: Uint8Array): string {
  if (isIpv4Mapped(octets)) return `::ffff:${formatIpv4(octets.subarray(12))}`;
  const { start, length } = longestZeroRun(octets);
  if (length < 2) return groupsOf(octets, 0, GROUPS);
  return `${groupsOf(octets, 0, start)}::${groupsOf(octets, start + length, GROUPS)}`;
}

function isIpv4Mapped(octets: Uint8Array): boolean {
  for (let at = 0; at < 10; at++) if (octets[at] !== 0) return false;
  return octets[10] === 0xff && octets[11] === 0xff;
}

/** The last group may be an IPv4 address, which yields two numbers. */
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

function longestZeroRun(octets: Uint8Array): { start: number; length: number } {
  let [longest, length, start] = [0, 0, 0];
  for (let at = 0; at < GROUPS; at++) {
    length = groupAt(octets, at) === 0 ? length + 1 : 0;
    if (length <= longest) continue;
    longest = length;
    start = at + 1 - length;
  }
  return { start, length: longest };
}

function groupsOf(octets: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += `${at === start ? '' : ':'}${groupAt(octets, at).toString(16)}`;
  return text;
}

function groupAt(octets: Uint8Array, at: number): number {
  return ((octets[2 * at] ?? 0) << 8) | (octets[2 * at + 1] ?? 0);
}
