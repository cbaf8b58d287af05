import { MAX_TTL } from '../common/field-limits.js';
import { writeRecordSet } from '../dns/master-file/master-file-writer.js';
import type { ResourceRecord } from '../dns/message/message.js';
import { type RecordType, type RecordTypes, SOA } from '../dns/rdata/index.js';
import { registeredName } from '../dns/rdata/type-names.js';
import { TransferError } from '../publishing/secondary/received-zone.js';

/** RRSIG, NSEC, DNSKEY, NSEC3 and NSEC3PARAM: signing makes them, and no import takes them. */
const OF_SIGNING: ReadonlySet<number> = new Set([46, 47, 48, 50, 51]);

/** The text of a domain that another name server gave, up to a length that an import takes. */
export class ZoneFileText {
  readonly leftOut = new Map<string, number>();
  private lines: string[] = [];
  private octets = 0;

  constructor(
    private readonly types: RecordTypes,
    private readonly mostOctets: number,
  ) {}

  get records(): number {
    return this.lines.length;
  }

  /** @throws TransferError `too_large` */
  add(record: ResourceRecord): void {
    const { type: code, owner, rdata, ttl } = record;
    if (OF_SIGNING.has(code)) {
      const name = registeredName(code);
      this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1);
      return;
    }
    const { type, text } = shown(code, rdata, this.types);
    // RFC 2181 §8: a TTL with the highest bit set means 0.
    const line = writeRecordSet({ owner, type, ttl: ttl > MAX_TTL ? 0 : ttl, rdatas: [rdata], texts: [text] });
    this.octets += line.length;
    if (this.octets > this.mostOctets)
      throw new TransferError(`the zone file has more than ${this.mostOctets} octets`, true, 'too_large');
    this.lines.push(line);
  }

  toString(): string {
    return this.lines.join('');
  }
}

/** RFC 3597 §5 has a form for malformed octets. @throws Error for a meta type */
export function shown(
  code: number,
  rdata: Uint8Array,
  types: RecordTypes,
): { readonly type: RecordType; readonly text: string } {
  const type = code === SOA.code ? SOA : types.byCode(code);
  try {
    if (type !== undefined) return { type, text: type.toText(rdata) };
  } catch {
    // Malformed octets of a known type.
  }
  const numbered = types.stored(`TYPE${code}`);
  if (numbered === undefined) throw new Error(`records of the type ${code} stand in no zone`);
  return { type: numbered, text: numbered.toText(rdata) };
}
