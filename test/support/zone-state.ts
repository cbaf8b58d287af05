import { timeOrderedUuid } from '../../src/common/uuid.js';
import { DomainName } from '../../src/dns/name.js';
import { keysBelow } from '../../src/dns/name-key.js';
import { type RecordContent, readRecordContent } from '../../src/records/record-content.js';
import { octetsOf, type RecordEntity } from '../../src/records/record.entity.js';
import type { RecordSetEntity } from '../../src/records/record-set.entity.js';
import { namesAbove, ZoneState } from '../../src/records/changes/state/zone-state.js';
import type { ZoneEntity } from '../../src/zones/zone.entity.js';
import { ALL_TYPES } from './master-file.js';

const APEX = 'example.org.';
const NOW = 1_763_600_000_000_000;

/** A zone as it is stored, with no more in it than its counters say. */
function zoneOf(recordCount = 0, recordSetCount = 0): ZoneEntity {
  return {
    id: timeOrderedUuid(NOW),
    tenantId: 'tenant-a',
    name: APEX,
    nameKey: DomainName.parse(APEX).key,
    email: 'hostmaster@example.org',
    ttl: 3600,
    soaTtl: null,
    description: null,
    serial: 1,
    version: 1,
    recordCount,
    recordSetCount,
    generation: null,
    apexNs: null,
    keptFields: null,
    type: 'PRIMARY',
    masters: null,
    attributes: null,
    labels: null,
    transferredAt: null,
    changedAt: NOW,
    createdAt: NOW,
    publishedVersion: null,
    publishedSerial: null,
    updatedAt: null,
  };
}

/** A record as a line: `www 60 A 192.0.2.1`, `@ MX 10 mail.example.net.`; the ttl may be left out. */
export function contentOf(line: string): RecordContent {
  const [, label = '', ttl, type = '', rest = ''] = /^(\S+)(?: (\d+))? ([A-Z]+\d*) (.*)$/.exec(line) ?? [];
  const name = label === '@' ? APEX : label.endsWith('.') ? label : `${label}.${APEX}`;
  const [, priority, data = ''] = type === 'MX' ? (/^(\d+) (.*)$/.exec(rest) ?? []) : [null, null, rest];
  return readRecordContent(ALL_TYPES, {
    name,
    type,
    data,
    priority: priority ? Number(priority) : null,
    ttl: ttl === undefined ? null : Number(ttl),
  });
}

export function keyOfLabel(label: string): string {
  return DomainName.parse(label === '@' ? APEX : `${label}.${APEX}`).key;
}

/** A state that has these records, and knows all that can be asked of it about these labels. */
export function stateOf(lines: readonly string[], labels: readonly string[]): ZoneState {
  const contents = lines.map(contentOf);
  const sets = new Map<string, RecordSetEntity>();
  const zone = zoneOf(contents.length, new Set(contents.map(({ ownerKey, type }) => `${ownerKey} ${type}`)).size);
  const state = new ZoneState(zone);
  state.hold(zone);
  const records = contents.map((content, at) => recordOf(zone, content, at));
  for (const record of records) {
    const key = `${record.ownerKey} ${record.type}`;
    sets.set(key, joined(sets.get(key), record));
  }
  const keys = new Set([...labels.map(keyOfLabel), ...contents.map(({ ownerKey }) => ownerKey)]);
  for (const key of [...keys]) for (const above of namesAbove(zone, key)) keys.add(above);
  for (const key of keys) {
    state.knowOwner(
      key,
      [...sets.values()].filter(({ ownerKey }) => ownerKey === key),
    );
    const [from, to] = keysBelow(key);
    const below = [...sets.values()].filter(({ ownerKey }) => ownerKey >= from && ownerKey < to);
    state.knowBelow(key, { sets: below, isAll: true });
  }
  for (const record of records) state.knowRecord(record);
  for (const set of sets.values()) state.knowWhetherWhole(set);
  return state;
}

function recordOf(zone: ZoneEntity, content: RecordContent, at: number): RecordEntity {
  const { name, ownerKey, type, data, priority, ttl, description, fingerprint } = content;
  const createdAt = NOW + at;
  return {
    ...{ zoneId: zone.id, id: timeOrderedUuid(createdAt), version: 1, createdAt, updatedAt: null },
    ...{ name, ownerKey, type, data, priority, ttl, description, fingerprint, expiresAt: null },
    rdata: Buffer.from(content.rdata).toString('hex'),
  };
}

function joined(set: RecordSetEntity | undefined, record: RecordEntity): RecordSetEntity {
  const { zoneId, ownerKey, type, name, ttl, createdAt } = record;
  const { recordCount = 0, octets = 0, ttl: setTtl = null } = set ?? {};
  const ttls = [setTtl, ttl].filter((one) => one !== null);
  return {
    ...{ zoneId, ownerKey, type, name, createdAt, id: timeOrderedUuid(createdAt), description: null, version: 1 },
    ...{ updatedAt: null, recordCount: recordCount + 1, octets: octets + octetsOf(record), serial: null },
    annotations: null,
    labels: null,
    ttl: ttls.length > 0 ? Math.min(...ttls) : null,
  };
}
