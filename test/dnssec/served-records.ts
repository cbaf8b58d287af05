import { canonicalRdata } from '../../src/dns/dnssec/canonical-rdata.js';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { DomainName } from '../../src/dns/name.js';
import { query } from '../support/messages.js';
import { DOCUMENTED_KEY, DOCUMENTED_SECRET, type NameServer } from '../support/name-servers/name-servers.js';
import { transfer } from '../support/transfers.js';

const KEY: TsigKey = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
};

const ATTEMPTS = 3;

/** PowerDNS 4.7 gives these the negative TTL of the zone, regardless of the transfer; the RRSIG has the right TTL. */
const TTL_LOST_BY_POWERDNS: readonly number[] = [Type.CDS, Type.CDNSKEY, Type.NSEC3PARAM];

/** All records of a zone, each once, as a name server hands them out. */
export async function recordsOn(
  { name, port }: Pick<NameServer, 'name' | 'port'>,
  zone: string,
  sent: readonly ResourceRecord[],
): Promise<readonly ResourceRecord[]> {
  const records = await recordsInTheEnd(port, zone);
  if (name !== 'PowerDNS') return records;
  const ttls = new Map(sent.map(({ owner, type, ttl }) => [`${type} ${owner.key}`, ttl]));
  return records.map((record) => {
    const { owner, type, ttl } = record;
    return TTL_LOST_BY_POWERDNS.includes(type) ? { ...record, ttl: ttls.get(`${type} ${owner.key}`) ?? ttl } : record;
  });
}

/** A name server may end its connections when it takes a new zone: NSD replaces its processes then. */
async function recordsInTheEnd(port: number, zone: string): Promise<ResourceRecord[]> {
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await recordsFrom(port, zone);
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/** The same records, as the server on that port serves them. */
export async function recordsFrom(port: number, zone: string): Promise<ResourceRecord[]> {
  const { records } = await transfer(port, query(MetaType.AXFR, {}, DomainName.parse(zone)), KEY);
  return records.slice(0, -1);
}

/** Records on one side only, compared in canonical form (RFC 4034 §6.2). */
export function differences(ours: readonly ResourceRecord[], theirs: readonly ResourceRecord[]): string[] {
  const [sent, served] = [new Set(ours.map(signedText)), new Set(theirs.map(signedText))];
  return [
    ...[...sent].filter((text) => !served.has(text)).map((text) => `sent: ${text}`),
    ...[...served].filter((text) => !sent.has(text)).map((text) => `served: ${text}`),
  ];
}

function signedText({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.canonical.toString()} ${ttl} ${type} ${Buffer.from(canonicalRdata(type, rdata)).toString('hex')}`;
}
