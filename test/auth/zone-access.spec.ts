import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operatorFor } from '../../src/cli/operator.js';
import { DomainName } from '../../src/dns/name.js';
import { RecordChanges } from '../../src/records/changes/record-changes.js';
import type { RecordOperation } from '../../src/records/changes/record-operation.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { type AssembledService, assembleTestService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { contentOf } from '../support/zone-state.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import type { OpenApi } from '../support/api-document.js';
import { read } from '../support/documents.js';
import type { Client } from '../support/service.js';
import { until } from '../support/until.js';

/** A request body with names based on the zone. */
type Sent = (zone: TestDomain) => object;

const RECORD: Sent = (zone) => ({ name: zone.at('new'), type: 'A', data: '192.0.2.7' });
const SET: Sent = (zone) => ({ name: zone.at('new'), type: 'A', records: ['192.0.2.7'] });
const NOTHING: Sent = () => ({});
const CHILD: Sent = (zone) => ({ name: `child.${zone.name}`, email: 'hostmaster@example.org' });

/** A body that the owner of the zone could send, for each operation of the API that changes a zone. */
const CHANGES: Record<string, Sent> = {
  'put /v1/domains/{domain_id}': () => ({ ttl: 60 }),
  'delete /v1/domains/{domain_id}': NOTHING,
  'post /v1/domains/{domain_id}/records': RECORD,
  'put /v1/domains/{domain_id}/records/{id}': () => ({ ttl: 60 }),
  'delete /v1/domains/{domain_id}/records/{id}': NOTHING,
  'post /v1/domains/{domain_id}/changes': (zone) => ({ changes: [{ action: 'create', record: RECORD(zone) }] }),
  'post /v1/domains/{domain_id}/revert': ({ serial }) => ({ serial }),
  'post /v1/domains/{domain_id}/reverse': () => ({}),
  'post /v1/domains/{domain_id}/import': NOTHING,
  'post /v1/domains/{domain_id}/template': () => ({ template: 'parked' }),
  'put /v1/domains/{domain_id}/dnssec': () => ({ enabled: true, denial: 'nsec3' }),
  'post /v1/domains/{domain_id}/dnssec/rollovers': () => ({ key: 'csk' }),
  'delete /v1/domains/{domain_id}/dnssec/rollovers/{rollover_id}': NOTHING,
  'post /v1/domains/{domain_id}/dnssec/resign': NOTHING,
  'post /v1/domains/{domain_id}/dnssec/parent': () => ({ ds: 'published' }),
  'post /v1/domains/{domain_id}/dnssec/key_response': () => ({ response: '' }),
  'put /v2/zones/{zone_id}/dnssec': () => ({ enabled: true, denial: 'nsec3' }),
  'post /v2/zones/{zone_id}/dnssec/rollovers': () => ({ key: 'csk' }),
  'delete /v2/zones/{zone_id}/dnssec/rollovers/{rollover_id}': NOTHING,
  'post /v2/zones/{zone_id}/dnssec/resign': NOTHING,
  'post /v2/zones/{zone_id}/dnssec/parent': () => ({ ds: 'published' }),
  'post /v2/zones/{zone_id}/dnssec/key_response': () => ({ response: '' }),
  'post /v2/zones/{zone_id}/recordsets': SET,
  'put /v2/zones/{zone_id}/recordsets/{recordset_id}': () => ({ ttl: 60 }),
  'delete /v2/zones/{zone_id}/recordsets/{recordset_id}': NOTHING,
  'patch /v2/zones/{zone_id}': () => ({ ttl: 60 }),
  'delete /v2/zones/{zone_id}': NOTHING,
  'post /v2/zones/{zone_id}/tasks/abandon': NOTHING,
  'post /v2/zones/{zone_id}/tasks/xfr': NOTHING,
  'post /v2/zones/{zone_id}/tasks/export': NOTHING,
  'post /v2/zones/{zone_id}/tasks/transfer_requests': NOTHING,
  'post /v2/zones/{zone_id}/shares': () => ({ target_project_id: 'stranger' }),
  'delete /v2/zones/{zone_id}/shares/{share_id}': NOTHING,
  'post /v1/domains': CHILD,
  'post /v2/zones': CHILD,
  'patch /v2/zones/tasks/transfer_requests/{request_id}': () => ({ target_project_id: 'stranger' }),
  'delete /v2/zones/tasks/transfer_requests/{request_id}': NOTHING,
  'post /v2/zones/tasks/transfer_accepts': () => ({ key: 'ABCDEFGH', zone_transfer_request_id: ids.request_id }),
};

/** Requests without an existing zone; an import and a restore create one. */
const OTHERS =
  /^\w+ (\/v1\/(tokens|update-keys|webhooks|templates|quotas|deleted-domains|domain-reads)|\/console\/session|\/admin\/quotas|\/v2\/(quotas|tlds|blacklists|pools|tsigkeys|reverse\/floatingips|zones\/tasks\/(im|ex)ports))(\/|$)/;

/** Expected statuses; 404 for other routes. */
const STATUSES: Readonly<Record<string, number>> = {
  // A caller without the abandon privilege gets 403 before the zone lookup.
  'post /v2/zones/{zone_id}/tasks/abandon': 403,
  'post /v1/domains': 400,
  'post /v2/zones': 403,
  'patch /v2/zones/tasks/transfer_requests/{request_id}': 403,
  'post /v2/zones/tasks/transfer_accepts': 403,
};

let service: AssembledService;
let owner: Client;
let zone: TestDomain;
let signed: TestDomain;
let ids: Record<string, string>;

interface Dnssec {
  readonly enabled: boolean;
  readonly state: string;
  readonly denial: string;
  readonly keys: readonly { readonly tag: number }[];
  readonly rollover: { readonly id: string } | null;
}

const SETTINGS = {
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_CENTRAL__SOA_MINIMUM: '1',
  ...DNSSEC_ON,
};

/** A zone in a key rollover, ready immediately: caches forget its keys within a second. */
async function signedDomain(): Promise<{ domain: TestDomain; rolloverId: string }> {
  const domain = await newDomain(owner, freshName(), { ttl: 1 });
  const path = `/v1/domains/${domain.id}/dnssec`;
  await answerOf(owner.call('put', path, { enabled: true }));
  await until(async () => (await bodyOf<Dnssec>(owner.call('get', path))).state === 'ready');
  const { rollover } = await bodyOf<Dnssec>(owner.call('post', `${path}/rollovers`, { key: 'csk' }));
  return { domain, rolloverId: rollover!.id };
}

/** The DNSSEC state without fields that background signing changes. */
async function signingOf({ id }: TestDomain): Promise<object> {
  const dnssec = await bodyOf<Dnssec>(owner.call('get', `/v1/domains/${id}/dnssec`));
  const { enabled, state, denial, keys, rollover } = dnssec;
  return { enabled, state, denial, tags: keys.map(({ tag }) => tag), rolloverId: rollover?.id };
}

beforeAll(async () => {
  service = await assembleTestService({ settings: SETTINGS });
  owner = service.as('owner');
  zone = await newDomain(owner);
  const { domain, rolloverId } = await signedDomain();
  signed = domain;
  const { id } = await zone.newRecord();
  const sets = await bodyOf<{ recordsets: { id: string; type: string }[] }>(
    owner.call('get', `/v2/zones/${zone.id}/recordsets?type=A`),
  );
  const share = await bodyOf<{ id: string }>(
    owner.call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' }),
    201,
  );
  const transfer = owner.call('post', `/v2/zones/${zone.id}/tasks/transfer_requests`, { target_project_id: 'heir' });
  const { id: request_id } = await bodyOf<{ id: string }>(transfer, 201);
  ids = {
    request_id,
    rollover_id: rolloverId,
    domain_id: zone.id,
    zone_id: zone.id,
    id,
    recordset_id: sets.recordsets[0]!.id,
    share_id: share.id,
  };
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

function pathOf(template: string): string {
  const known: Record<string, string> = template.includes('/dnssec')
    ? { ...ids, domain_id: signed.id, zone_id: signed.id }
    : ids;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
}

async function stateOfZones(): Promise<unknown[]> {
  return [await zone.now(), await zone.export(), await signingOf(signed), await signed.export()];
}

/** test/openapi checks the documents against the served routes. */
function operationsOnZones(): string[] {
  return ['docs/openapi.json', 'docs/openapi-v2.json']
    .flatMap((file) => Object.entries((JSON.parse(read(file)) as Pick<OpenApi, 'paths'>).paths))
    .flatMap(([template, methods]) => Object.keys(methods).map((method) => `${method} ${template}`))
    .filter((name) => /^(post|put|patch|delete) /.test(name) && !OTHERS.test(name));
}

describe('a caller without standing in a zone', () => {
  it('3.2 is tried with every operation of the API that changes a zone', () => {
    expect(Object.keys(CHANGES).sort()).toEqual(operationsOnZones().sort());
  });

  it.each(Object.keys(CHANGES))('3.2, 13.10 is refused and changes nothing by %s', async (name) => {
    const [method, template] = name.split(' ') as ['post' | 'put' | 'patch' | 'delete', string];
    const before = await stateOfZones();
    const sent = service.as('stranger').call(method, pathOf(template));
    const isFile = template.endsWith('/import');
    const body = isFile ? `${zone.at('new')} 60 IN A 192.0.2.7\n` : JSON.stringify(CHANGES[name]!(zone));
    await answerOf(
      sent.set('Content-Type', isFile ? 'text/dns' : 'application/json').send(body),
      STATUSES[name] ?? 404,
    );
    expect(await stateOfZones()).toEqual(before);
  });
});

describe('each operation on records', () => {
  /** The compiler asks for a line for each. */
  const OPERATIONS: Record<RecordOperation['action'], () => RecordOperation> = {
    create: () => ({ action: 'create', content: contentOf('new A 192.0.2.7') }),
    update: () => ({ action: 'update', id: ids.id!, fields: { ttl: 60 } }),
    delete: () => ({ action: 'delete', id: ids.id! }),
    replace: () => ({ action: 'replace', ...setKey(), contents: [] }),
    'create set': () => ({
      ...{ action: 'create set', ...setKey(), name: zone.at('new'), ttl: null },
      ...{ description: null, contents: [] },
    }),
    'update set': () => ({ action: 'update set', ...setKey(), setId: ids.recordset_id!, ttl: 60 }),
    'delete set': () => ({ action: 'delete set', ...setKey(), setId: ids.recordset_id! }),
    'amend set': () => ({ action: 'amend set', ...setKey(), name: zone.at('www'), comments: [] }),
    'label set': () => ({ action: 'label set', ...setKey(), name: zone.at('www'), labels: { team: 'x' } }),
    'amend zone': () => ({ action: 'amend zone', amend: () => ({ email: 'stranger@example.net' }) }),
  };
  const setKey = () => ({ ownerKey: DomainName.parse(zone.at('www')).key, type: 'A' });

  it.each(Object.keys(OPERATIONS) as RecordOperation['action'][])('3.2 refuses a stranger %s', async (action) => {
    const stranger = { ...operatorFor('stranger'), roles: ['member'], allTenants: false };
    const change = service.get(RecordChanges).apply(zone.id, stranger, [OPERATIONS[action]()]);
    await expect(change).rejects.toMatchObject({ code: 'zone_not_found' });
  });

  it.each([...(['create', 'update', 'delete', 'replace', 'amend set', 'amend zone', 'label set'] as const)])(
    '13.10 refuses a guest %s',
    async (action) => {
      const guest = { ...operatorFor('guest'), roles: ['member'], allTenants: false };
      const change = service.get(RecordChanges).apply(zone.id, guest, [OPERATIONS[action]()]);
      await expect(change).rejects.toMatchObject({ code: 'zone_not_found' });
    },
  );

  it.each(['update set', 'delete set'] as const)("13.10 refuses a guest %s of the owner's", async (action) => {
    const guest = { ...operatorFor('guest'), roles: ['member'], allTenants: false };
    const change = service.get(RecordChanges).apply(zone.id, guest, [OPERATIONS[action]()]);
    await expect(change).rejects.toMatchObject({ code: 'record_set_not_found' });
  });
});
