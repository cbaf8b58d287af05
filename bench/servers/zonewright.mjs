import path from 'node:path';
import { cores, freePort, ROOT, run, startServer } from '../processes.mjs';
import { zoneText } from '../zone-text.mjs';

export const TENANT = 'bench';
const LIMIT = '2000000000';
const SEEDED_RECORDS = 1000;
const MANY_DOMAINS = 32;
/** The number of connections that export concurrently. */
const CHANGING_DOMAINS = 8;
const RECORDS_OF_CHANGE_SET = 100;
const JSON_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** Enforced, journaled and durable like any installation; only the limits are out of reach. */
export function zonewrightEnvironment(databaseUrl) {
  return {
    ZONEWRIGHT_DATABASE__URL: databaseUrl,
    ZONEWRIGHT_SERVICE_API__ENABLE_API_ADMIN: 'True',
    ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
    ZONEWRIGHT_SERVICE_API__MAX_BODY_SIZE: '1GiB',
    ZONEWRIGHT_SERVICE_POWERDNS__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_API__CHANGES_PER_MINUTE: LIMIT,
    ZONEWRIGHT_DEFAULT__QUOTA_ZONES: LIMIT,
    ZONEWRIGHT_DEFAULT__QUOTA_ZONE_RECORDSETS: LIMIT,
    ZONEWRIGHT_DEFAULT__QUOTA_ZONE_RECORDS: LIMIT,
    ZONEWRIGHT_DEFAULT__QUOTA_RECORDSET_RECORDS: LIMIT,
    ZONEWRIGHT_DEFAULT__QUOTA_API_EXPORT_SIZE: LIMIT,
  };
}

/** Runs the command line in a separate directory; returns its output. */
export function zonewright(directory, environment, ...args) {
  const program = path.join(ROOT, 'dist/src/cli/main.js');
  return run(process.execPath, [program, ...args], { cwd: directory, env: environment }).trim();
}

/** A running service and its client, without any domain yet. */
export async function startZonewright({ directory, databaseUrl, workers = 1, settings = {}, ...program }) {
  const port = await freePort();
  const environment = {
    ...zonewrightEnvironment(databaseUrl),
    ZONEWRIGHT_SERVICE_API__LISTEN: `127.0.0.1:${port}`,
    ZONEWRIGHT_SERVICE_API__WORKERS: String(workers),
    ...settings,
  };
  zonewright(directory, environment, 'migrate');
  const token = zonewright(directory, environment, 'token', 'create', '--tenant', TENANT, '--role', 'admin');
  return runZonewright({ directory, environment, token, ...program });
}

/** Restarts a stopped service. */
export async function runZonewright({ name, directory, environment, token, core, nodeOptions = [] }) {
  const url = `http://${environment.ZONEWRIGHT_SERVICE_API__LISTEN}`;
  const headers = { 'X-Auth-Token': token };
  const child = await startServer({
    name,
    command: process.execPath,
    args: [...nodeOptions, path.join(ROOT, 'dist/src/main.js')],
    core,
    cwd: directory,
    env: environment,
    url: `${url}/v1/domains?limit=1`,
    headers,
  });
  return { name, child, url, headers, token, directory, environment, call: caller(url, headers) };
}

/** The service as a contestant: domains to read from, to create in and to delete from. */
export async function zonewrightContestant(options) {
  const service = await startZonewright(options);
  const read = await makeDomain(service, 'read.example.', SEEDED_RECORDS);
  const create = await makeDomain(service, 'create.example.');
  const changes = await makeDomain(service, 'changes.example.');
  const imports = await makeDomain(service, 'import.example.');
  const many = [];
  for (let at = 0; at < MANY_DOMAINS; at += 1) many.push(await makeDomain(service, `many-${at}.example.`));
  const records = await recordsOf(service, read.id);
  const recordSets = await recordSetsOf(service, read.id);
  const headers = { ...service.headers, ...JSON_HEADERS };
  const get = { method: 'GET', headers, order: 'cycle' };
  const creation = {
    method: 'POST',
    path: '/v1/domains/%id%/records',
    headers,
    body: '{"name":"r-%serial%.%name%","type":"A","data":"192.0.2.1"}',
    order: 'fresh',
    perSecond: 10_000,
  };
  const templates = {
    create: { ...creation, picks: [create] },
    'create in 32 domains': { ...creation, picks: many },
    get: { ...get, path: `/v1/domains/${read.id}/records/%id%`, picks: records },
    'list of 20': { ...get, path: `/v1/domains/${read.id}/records?limit=20` },
    'get quota': { ...get, path: `/admin/quotas/${TENANT}` },
    export: { ...get, headers: service.headers, path: `/v1/domains/${read.id}/export` },
    'export after a change': () => exportsOfChanged(service, headers),
    update: {
      method: 'PUT',
      path: `/v1/domains/${read.id}/records/%id%`,
      headers,
      body: '{"data":"198.18.%high%.%low%"}',
      picks: records.filter(({ type }) => type === 'A'),
      order: 'fresh',
      perSecond: 10_000,
    },
    'change sets of 100': {
      method: 'POST',
      path: `/v1/domains/${changes.id}/changes`,
      headers,
      body: changeSet(changes.name),
      order: 'fresh',
      perSecond: 500,
    },
    import: {
      method: 'POST',
      path: `/v1/domains/${imports.id}/import`,
      headers: { ...service.headers, 'Content-Type': 'text/dns' },
      body: `$ORIGIN i-%serial%.import.example.\n${[...zoneText(SEEDED_RECORDS)].join('')}`,
      order: 'fresh',
      requests: 10,
    },
    delete: (pool) => deletions(service, headers, pool),
    ...version2(headers, { read, create: await makeDomain(service, 'sets.example.'), recordSets }),
  };
  return { ...service, templates, verify: (answered) => verify(service, create, answered) };
}

/** Workloads of both versions; zone creation counts for both. */
function version2(headers, { read, create, recordSets }) {
  const get = { method: 'GET', headers, order: 'cycle' };
  const post = { method: 'POST', headers, order: 'fresh', perSecond: 10_000 };
  const zone = '{"name":"z-%serial%.example.","email":"hostmaster@example.org"}';
  return {
    'create record set': {
      ...post,
      path: `/v2/zones/${create.id}/recordsets`,
      body: `{"name":"r-%serial%.${create.name}","type":"A","records":["192.0.2.1"]}`,
    },
    'get record set': { ...get, path: `/v2/zones/${read.id}/recordsets/%id%`, picks: recordSets },
    'list of 20 record sets': { ...get, path: `/v2/zones/${read.id}/recordsets?limit=20` },
    'create domain': { ...post, path: '/v1/domains', body: zone },
    'create zone': { ...post, path: '/v2/zones', body: zone },
  };
}

/** Starts the service on a separate database file. */
export function zonewrightOnSqlite(options) {
  return zonewrightContestant({ databaseUrl: 'sqlite:bench.sqlite', core: cores.server, ...options });
}

async function makeDomain({ call }, name, records = 0) {
  const domain = await call('POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  if (records > 0) await call('POST', `/v1/domains/${domain.id}/import`, [...zoneText(records)].join(''), 'text/dns');
  return { id: domain.id, name };
}

/** Creates of one record set each, as records that are made one by one have them. */
function changeSet(zone) {
  const changes = Array.from({ length: RECORDS_OF_CHANGE_SET }, (_, at) => ({
    action: 'create',
    record: { name: `c${at}-%serial%.${zone}`, type: 'A', data: '192.0.2.1' },
  }));
  return JSON.stringify({ changes });
}

/** A domain of 1,000 records for each connection; one record changes before each export. */
async function exportsOfChanged(service, headers) {
  service.changing ??= await changingDomains(service);
  const change = {
    method: 'PUT',
    path: '/v1/domains/%id%/records/%record%',
    headers,
    body: '{"data":"198.18.%high%.%low%"}',
  };
  const path = '/v1/domains/%id%/export';
  return { method: 'GET', path, headers: service.headers, order: 'cycle', picks: service.changing, change };
}

/** Sequentially: a tenant has a limit of concurrent imports. */
async function changingDomains(service) {
  const domains = [];
  for (let at = 0; at < CHANGING_DOMAINS; at += 1) {
    const { id } = await makeDomain(service, `changing-${at}.example.`, SEEDED_RECORDS);
    const record = (await recordsOf(service, id)).find(({ type }) => type === 'A');
    domains.push({ id, record: record.id });
  }
  return domains;
}

/** Each measurement needs a new domain with records to delete. */
async function deletions(service, headers, pool) {
  const { id } = await makeDomain(service, `delete-${Date.now()}.example.`, pool);
  const picks = (await recordsOf(service, id)).map(({ id: record }) => ({ id: record }));
  return { method: 'DELETE', path: `/v1/domains/${id}/records/%id%`, headers, picks, order: 'consume' };
}

async function recordsOf({ call }, domain) {
  const { records } = await call('GET', `/v1/domains/${domain}/records`);
  return records.map(({ id, type }) => ({ id, type }));
}

/** Stored record sets: the service generates SOA and NS at the apex. */
async function recordSetsOf({ call }, zone) {
  const { recordsets } = await call('GET', `/v2/zones/${zone}/recordsets?limit=1000`);
  return recordsets.filter(({ managed }) => managed !== true).map(({ id }) => ({ id }));
}

/** Creates that were answered must be there; those under way when a measurement ended may be. */
async function verify({ call }, domain, { succeeded, pending }) {
  const { records } = await call('GET', `/v1/domains/${domain.id}/records`);
  return { answered: succeeded, pending, stored: records.length };
}

function caller(url, headers) {
  return async (method, where, body, type = 'application/json') => {
    const request = { method, headers };
    if (body !== undefined) {
      request.headers = { ...headers, 'Content-Type': type };
      request.body = type === 'application/json' ? JSON.stringify(body) : body;
    }
    const answer = await fetch(`${url}${where}`, request);
    if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}
