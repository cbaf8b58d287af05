import { canonicalRdata } from '../../src/dns/dnssec/canonical-rdata.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/resource-record.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { DomainName } from '../../src/dns/name.js';
import { query } from '../support/messages.js';
import { DOCUMENTED_KEY, DOCUMENTED_SECRET } from '../support/name-servers/name-servers.js';
import { transfer } from '../support/transfers.js';

const KEY: TsigKey = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
};

/** All records of a zone, each once, as whoever listens there hands them out. */
export async function recordsFrom(port: number, zone: string): Promise<ResourceRecord[]> {
  const { records } = await transfer(port, query(MetaType.AXFR, {}, DomainName.parse(zone)), KEY);
  return records.slice(0, -1);
}

/** Records of either side that the other one has not, octet for octet as they are signed (RFC 4034 §6.2). */
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
