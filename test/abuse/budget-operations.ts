import type { FullZone } from './largest-zones.js';

/** A request about a whole zone. */
export interface ZoneRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Refused with 413 where the records are long (rules 9.7 and 11.3). */
  readonly mayBeTooLarge?: boolean;
}

const POWERDNS = '/api/v1/servers/localhost';
/** 58 kB in a record set of the PowerDNS API. */
const LONG_CONTENT = Array<string>(230)
  .fill(`"${'y'.repeat(250)}"`)
  .join(' ');
/** Records of 60 kB that one change may rewrite: 15.5 MiB of text and RDATA in hexadecimal (rule 9.7). */
const FITTING_RECORDS = 90;
/** Records of 60 kB that one change may delete: 63.5 MiB. */
export const DELETABLE_RECORDS = 370;
/** 3.5 MB of 4 MiB that a body of the PowerDNS API may have. */
const POWERDNS_SETS = 60;
/** 900 kB of 1 MiB that a file may have. */
const FILE_RECORDS = 15;
/** As many as a template may have. */
const TEMPLATE_RECORDS = 200;
/** Six of the longest. */
const LABELS = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`k${at}`.padEnd(63, 'k'), 'v'.repeat(63)]));
const JSON_TYPE = { 'Content-Type': 'application/json' };
const ENDPOINTS_TYPE = { 'Content-Type': 'application/external.dns.webhook+json;version=1' };

const json = (method: string, path: string, body: object, headers = {}): ZoneRequest => ({
  ...{ method, path },
  body: JSON.stringify(body),
  headers: { ...JSON_TYPE, ...headers },
});
const get = (path: string): ZoneRequest => ({ method: 'GET', path });
const orTooLarge = (request: ZoneRequest): ZoneRequest => ({ ...request, mayBeTooLarge: true });
const text = (method: string, path: string, body: string): ZoneRequest => ({
  ...{ method, path, body },
  headers: { 'Content-Type': 'text/dns' },
});

/** Requests with the largest possible read or write of a zone, in an order in which each succeeds. */
export function heavyRequests({ id, name, type, firstSerial, recordIds, setId }: FullZone): readonly ZoneRequest[] {
  const v1 = `/v1/domains/${id}`;
  const v2 = `/v2/zones/${id}`;
  const powerdns = `${POWERDNS}/zones/${name}`;
  const each = (change: (recordId: string) => object, ids = recordIds): object => ({ changes: ids.map(change) });
  const deletes = (ids?: readonly string[]) => each((recordId) => ({ action: 'delete', id: recordId }), ids);
  const deletable = recordIds.slice(0, DELETABLE_RECORDS);
  const ttls = (ttl: number, ids?: readonly string[]): object =>
    each((recordId) => ({ action: 'update', id: recordId, record: { ttl } }), ids);
  const fitting = recordIds.slice(0, FITTING_RECORDS);
  const key = { 'Idempotency-Key': `key-of-${id}` };
  const rrsets = (changetype: string, content = LONG_CONTENT) => ({
    rrsets: Array.from({ length: POWERDNS_SETS }, (_, at) => ({
      ...{ name: `p${at}.${name}`, type: 'TXT', changetype },
      ...(changetype === 'DELETE' ? {} : { ttl: 300, records: [{ content, disabled: false }] }),
    })),
  });
  const { rrsets: sets } = rrsets('REPLACE');
  const zoneSets = {
    rrsets: [
      ...sets,
      { name, type: 'SOA', ttl: 300, records: [{ content: 'ns.example.net. hostmaster.example.org. 1 2 3 4 5' }] },
    ],
  };
  const endpoints = (content = LONG_CONTENT): readonly object[] =>
    Array.from({ length: POWERDNS_SETS }, (_, at) => ({
      ...{ dnsName: `e${at}.${name.replace(/\.$/, '')}`, recordType: 'TXT', targets: [content], recordTTL: 300 },
    }));
  const changes = (body: object): ZoneRequest => json('POST', '/external-dns/records', body, ENDPOINTS_TYPE);
  const file = Array.from({ length: FILE_RECORDS }, (_, at) => `f${at} 300 TXT ${LONG_CONTENT}\n`).join('');
  const conflicting = Array.from({ length: TEMPLATE_RECORDS }, (_, at) => {
    return { name: `h${at}`, type: 'CNAME', data: '{zone}.' };
  });
  const imported = `imported-${name}`;
  const soa = `${imported} 3600 SOA ns.example.net. hostmaster.example.net. 1 3600 600 86400 300\n`;
  return [
    ...['', '?limit=1000', '?q=h1&limit=1000', '?sort=natural', '?type=TXT', `?name=h1.${name}`].map((query) =>
      get(`${v1}/records${query}`),
    ),
    ...['/v1/search?q=h1&limit=200', '/v1/search?q=nowhere'].map(get),
    json('POST', `${v1}/changes`, {
      changes: recordIds.map((_, at) => ({ action: 'label', name: `h${at}.${name}`, type, labels: LABELS })),
    }),
    ...[
      '/labels',
      '/labels?label=common&label=none',
      '/check',
      '/live-check/last',
      '/export',
      '/aliases',
      '/history?limit=1000',
      '/changes?limit=200',
    ].map((path) => get(v1 + path)),
    ...['?dry_run=true', ''].map((query) => ({ method: 'POST', path: `${v1}/reverse${query}` })),
    orTooLarge(json('POST', `${v1}/changes?dry_run=true`, deletes())),
    json('POST', `${v1}/changes?dry_run=true`, deletes(deletable)),
    json('POST', `${v1}/changes?dry_run=true&findings=true`, deletes(deletable)),
    orTooLarge(json('POST', `${v1}/changes?dry_run=true&fields=true`, ttls(4321))),
    json('POST', `${v1}/changes?dry_run=true&fields=true`, ttls(4321, fitting)),
    orTooLarge(json('POST', `${v1}/changes`, ttls(4322))),
    json('POST', `${v1}/changes`, ttls(4323, fitting), key),
    json('POST', `${v1}/changes`, ttls(4323, fitting), key),
    // 300 and 86,400 differ in length as SQLite stores them: no row is overwritten in place.
    json('POST', `${v1}/changes`, ttls(300, fitting)),
    json('POST', `${v1}/changes`, ttls(86_400, fitting)),
    orTooLarge(json('POST', `${v1}/revert?dry_run=true`, { serial: firstSerial })),
    get(`${v1}/diff?from=${firstSerial}`),
    text('POST', `${v1}/import?mode=replace&dry_run=true`, `z TXT "a"\n`),
    text('POST', `${v1}/import?mode=replace&dry_run=true&diff=true`, file),
    text('POST', `${v1}/import?dry_run=true&findings=true`, file),
    text('POST', `${v1}/import`, file),
    json('POST', '/v1/templates', { name: `t-${id}`, records: conflicting }),
    json('POST', `${v1}/template`, { template: `t-${id}` }),
    json('POST', `${v1}/template?dry_run=true`, { template: `t-${id}`, replace: true }),
    text('POST', '/v2/zones/tasks/imports', `$ORIGIN ${imported}\n${soa}${file}`),
    { method: 'POST', path: `${v2}/tasks/export` },
    ...['', '?limit=1000', '?data=*xy*', '?sort_key=ttl&limit=1000'].map((query) => get(`${v2}/recordsets${query}`)),
    get(`${v2}/recordsets/${setId}`),
    json('PUT', `${v2}/recordsets/${setId}`, { ttl: 777 }),
    ...['', '?rrsets=false', '/export', `?rrset_name=h1.${name}`].map((path) => get(powerdns + path)),
    get(`${POWERDNS}/search-data?q=*h*&max=1000`),
    json('PATCH', powerdns, rrsets('REPLACE')),
    json('PATCH', powerdns, rrsets('REPLACE', LONG_CONTENT.replaceAll('y', 'z'))),
    json('PATCH', powerdns, rrsets('DELETE')),
    json('POST', '/external-dns/adjustendpoints', endpoints(), ENDPOINTS_TYPE),
    changes({ create: endpoints() }),
    changes({ delete: endpoints() }),
    json('POST', `${v1}/changes`, deletes(deletable)),
    ...deletedAndRestored(id),
    json('PUT', powerdns, zoneSets),
    { method: 'DELETE', path: powerdns },
    json('POST', `${POWERDNS}/zones`, { name, kind: 'Native', nameservers: [], ...zoneSets }),
  ];
}

export function deletedAndRestored(id: string): readonly ZoneRequest[] {
  return [{ method: 'DELETE', path: `/v1/domains/${id}` }, json('POST', `/v1/deleted-domains/${id}/restore`, {})];
}

interface Excuse {
  readonly operations: RegExp;
  readonly reason: string;
}

/** Documented operations that are not sent to the largest zone. */
export const EXCUSES: readonly Excuse[] = [
  {
    operations:
      /^\w+ (?:\/v1\/(?:tokens|update-keys|quotas|webhooks|templates)|\/console\/session|\/admin|\/v2\/(?:quotas|tlds|blacklists|pools|tsigkeys|service_statuses))/,
    reason: 'They read and write rows of their own and no record.',
  },
  {
    operations: /^(?:post|put|patch|delete) .*(?:\/dnssec|\/shares|\/transfer_(?:requests|accepts)|\/floatingips)/,
    reason: 'They write one row; signing goes on in the background (test/abuse/signing.spec.ts).',
  },
  {
    operations: /^(?:post|delete) .*\/tasks\/(?:abandon|xfr|exports?|imports?)/,
    reason: 'They start or remove a task; imports and exports have test/abuse/imports.spec.ts and exports.spec.ts.',
  },
  {
    operations: /^(?:post \/v[12]\/(?:domains|zones)|(?:put|patch|delete) \/v[12]\/(?:domains|zones)\/\{\w+\})$/,
    reason: 'They write the row of a zone; DELETE of a domain is sent by version 1.',
  },
  {
    operations: /^(?:(?:post|put|delete) .*\/records(?:\/\{id\})?|(?:post|delete) .*\/recordsets(?:\/\{\w+\})?)$/,
    reason: 'They write one record or set of at most 64 KiB, as PUT of a record set does.',
  },
  {
    operations: /^(?:put|post|delete) \/api\/v1\/servers\/localhost\/(?:cache|zones\/\{zone_id\}\/(?!$))/,
    reason: 'They write one row or nothing; signing goes on in the background.',
  },
  { operations: /^get \/v1\/events$/, reason: 'The stream does not end.' },
  {
    operations: /^post \/v1\/domain-reads$/,
    reason: 'It reads other name servers and no record (test/moves/domain-reads.slow.spec.ts).',
  },
];
