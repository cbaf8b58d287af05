/** RDATA with only fixed octets and names. */
interface PlainForm {
  readonly before: number;
  readonly names: number;
}

const FORMS: ReadonlyMap<number, PlainForm> = new Map([
  // A and AAAA; NS, CNAME, PTR; MX; SRV.
  [1, { before: 4, names: 0 }],
  [28, { before: 16, names: 0 }],
  ...[2, 5, 12].map((code) => [code, { before: 0, names: 1 }] as const),
  [15, { before: 2, names: 1 }],
  [33, { before: 6, names: 1 }],
]);
const TXT = 16;
const MAX_LABEL_OCTETS = 63;
const MAX_NAME_OCTETS = 255;

/** Returns true only for well-formed RDATA of a common type; false means unknown. */
export function isPlainRdata(code: number, rdata: Uint8Array): boolean {
  if (code === TXT) return isOfStrings(rdata);
  const form = FORMS.get(code);
  if (form === undefined) return false;
  return form.names === 0 ? rdata.length === form.before : endOfName(rdata, form.before) === rdata.length;
}

/** At least one character string (RFC 1035 §3.3). */
function isOfStrings(rdata: Uint8Array): boolean {
  let at = 0;
  while (at < rdata.length) at += 1 + (rdata[at] ?? 0);
  return at === rdata.length && at > 0;
}

/** Returns -1 without a valid name. */
function endOfName(rdata: Uint8Array, start: number): number {
  let at = start;
  for (let length = rdata[at]; length !== 0; length = rdata[at]) {
    if (length === undefined || length > MAX_LABEL_OCTETS) return -1;
    at += 1 + length;
  }
  return at + 1 - start > MAX_NAME_OCTETS ? -1 : at + 1;
}
