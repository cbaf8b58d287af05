import { Buffer } from 'node:buffer';
import { DIGEST_TYPES, dsRdata, keyTag, readDnskey, ZONE_KEY } from '../../dns/dnssec/dnskey.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import type { DomainName } from '../../dns/name.js';
import { recordsOf } from '../questions/answers.js';
import type { CheckContext } from './check-context.js';
import type { Delegation } from './delegation-check.js';

/** Each comparison hashes a key. */
const MOST_DS = 24;
const MOST_KEYS = 24;

/** Compares the DS of the parent zone with the DNSKEY records that name servers serve (behaviour 27.6). */
export async function checkDs(
  { zone: { apex }, questions, findings }: CheckContext,
  { parent, ds }: Delegation,
  servers: readonly string[],
): Promise<void> {
  const [address] = servers;
  if (ds === null || address === undefined) return;
  const reply = await questions.askServer(address, 'TCP', apex, Type.DNSKEY);
  if (reply.message?.header.isAuthoritative !== true) return;
  const keys = recordsOf(reply.message.answers, apex, Type.DNSKEY)
    .map(({ rdata }) => rdata)
    .filter((rdata) => (readDnskey(rdata).flags & ZONE_KEY) !== 0)
    .slice(0, MOST_KEYS);
  const name = apex.toString();
  const [about, own] = [
    { name, type: 'DS' },
    { name, type: 'DNSKEY' },
  ];
  if (keys.length === 0 && ds.length === 0) return;
  if (ds.length === 0)
    findings.add(
      'no_ds',
      own,
      `${parent} has no DS for the signed domain, so nobody validates it. Enter the DS there.`,
    );
  else if (keys.length === 0)
    findings.add(
      'ds_without_dnskey',
      about,
      `${parent} has a DS, but the domain is not signed: validating resolvers reject it. Remove the DS there, or sign it.`,
    );
  else {
    const unused = ds.slice(0, MOST_DS).filter((one) => !keys.some((key) => isDsOf(one, key, apex)));
    const tags = unused.map((one) => Buffer.from(one).readUInt16BE(0)).join(', ');
    if (unused.length > 0 && unused.length === Math.min(ds.length, MOST_DS))
      findings.add(
        'ds_mismatch',
        about,
        `No DNSKEY of the domain fits the DS in ${parent} (key tag ${tags}): validating resolvers reject the domain.` +
          ' Replace the DS there.',
      );
    else if (unused.length > 0)
      findings.add('ds_unused', about, `${parent} has a DS for no DNSKEY of the domain (key tag ${tags}). Remove it.`);
  }
}

/** Digests other than SHA-256 and SHA-384 are compared by key tag and algorithm alone. */
function isDsOf(ds: Uint8Array, key: Uint8Array, apex: DomainName): boolean {
  const [high = 0, low = 0, algorithm, digestType] = ds;
  if (high * 256 + low !== keyTag(key) || algorithm !== readDnskey(key).algorithm) return false;
  const known = Object.values(DIGEST_TYPES).find((type) => type === digestType);
  return known === undefined || Buffer.from(dsRdata(apex, key, known)).equals(ds);
}
