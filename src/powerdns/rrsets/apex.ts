import { mailboxOf } from '../../dns/mailbox.js';
import { RdataError } from '../../dns/rdata/rdata-error.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import { fingerprintOf } from '../../records/record-content.js';
import type { RecordEntity } from '../../records/record.entity.js';
import { apexNsColumn, assertApexNs, readApexNs, servedSoaTtl } from '../../zones/generation.js';
import type { ApexNs } from '../../plugins/change-listener.js';
import type { ZoneAmendment } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { refuse } from '../input.js';
import { differentTtl, type FoldedSet } from './folded-set.js';
import type { ContentInput } from './rrset-input.js';

/** Apex SOA and NS are zone fields or generated, not stored records. */

export function apexNsOf(records: readonly ContentInput[], ttl: number | null): ApexNs {
  const own = { names: namesOf(records), ttl };
  assertApexNs(own);
  return own;
}

/** The displayed apex NS: those of the zone and stored NS records. */
interface ShownNs extends ApexNs {
  /** Stored records that the zone fields lack. */
  readonly stored: readonly string[];
  readonly shownTtl: number;
}

function shownNs(zone: Readonly<ZoneEntity>, records: readonly RecordEntity[], generated: readonly string[]): ShownNs {
  const { names, ttl } = readApexNs(zone) ?? { names: generated, ttl: null };
  const there = new Set(names.map(fingerprintOfNs));
  const stored = records.filter(({ fingerprint }) => !there.has(fingerprint)).map(({ data }) => data);
  const ttls = records.map((record) => record.ttl).filter((one) => one !== null);
  const own = records.length === 0 ? ttl : null;
  return { names, ttl, stored, shownTtl: ttls.length > 0 ? Math.min(...ttls) : (own ?? zone.ttl) };
}

/** Whether a REPLACE of apex NS sends back the displayed set. */
export function sendsShownNs({ records, ttl }: FoldedSet, generated: readonly string[]) {
  return (zone: Readonly<ZoneEntity>, members: readonly RecordEntity[]): boolean => {
    if (records === null) return false;
    const { names, stored, shownTtl } = shownNs(zone, members, generated);
    return shownTtl === ttl && sortedText([...names, ...stored]) === sortedText(namesOf(records));
  };
}

/** Applies a request to the apex NS. Unchanged names stay generated, or stored records. */
export function amendApexNs(set: FoldedSet, generated: readonly string[]) {
  const isShown = sendsShownNs(set, generated);
  return (zone: Readonly<ZoneEntity>, members: readonly RecordEntity[]): ZoneAmendment => {
    const { records, added, removed, ttl, expectedTtl } = set;
    if (isShown(zone, members)) return {};
    if (records !== null) return { apexNs: apexNsColumn(apexNsOf(records, ttl)) };
    const now = shownNs(zone, members, generated);
    const all = [...now.names, ...now.stored];
    if (expectedTtl !== null && all.length > 0 && now.shownTtl !== expectedTtl) throw differentTtl(set);
    const gone = new Set(removed);
    const names = now.names.filter((name) => !gone.has(fingerprintOfNs(name)));
    const there = new Set(all.map((name) => name.toLowerCase()));
    const coming = namesOf(added).filter((name) => !there.has(name.toLowerCase()));
    if (coming.length === 0 && names.length === now.names.length) return {};
    const own = { names: [...names, ...coming], ttl: now.ttl ?? ttl };
    assertApexNs(own);
    return { apexNs: apexNsColumn(own) };
  };
}

function sortedText(names: readonly string[]): string {
  return [...names].sort().join(' ');
}

function namesOf(records: readonly ContentInput[]): string[] {
  return records.filter(({ isDisabled }) => !isDisabled).map(({ content }) => content.data);
}

function fingerprintOfNs(name: string): string {
  return fingerprintOf(NS.canonicalize(NS.parse(name, null)));
}

/** Returns the mailbox of an SOA. Clients that replace whole zones send template values in the other fields. */
export function mailboxIn(name: string, text: string): string {
  try {
    return mailboxOf(SOA.values(SOA.parse(text, null)).mailbox);
  } catch (error) {
    if (!(error instanceof RdataError)) throw error;
    return refuse(`Record ${name}/SOA '${text.slice(0, 200)}': Not in expected format (${error.message})`);
  }
}

/** Applies an SOA. Its TTL does not change the zone TTL, which other records use. */
export function amendSoa(email: string, ttl: number | null, shown: (zone: Readonly<ZoneEntity>) => string) {
  return (zone: Readonly<ZoneEntity>): ZoneAmendment => {
    const isSame = email === mailboxIn(zone.name, shown(zone));
    const isShownTtl = ttl === null || ttl === servedSoaTtl(zone);
    return { ...(!isSame && { email }), ...(!isShownTtl && { soaTtl: ttl === zone.ttl ? null : ttl }) };
  };
}
