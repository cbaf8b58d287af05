import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { atOnce, callOver } from '../json-client.mjs';
import { round } from '../statistics.mjs';

const CONNECTIONS = 32;
const RECORDS = 10;
const POWERDNS = '/api/v1/servers/localhost/zones?rrsets=false';

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

export function call(service, method, place, body) {
  return callOver(agent, service, { method, place, body });
}

export async function makeDomain(service, name) {
  const { id } = await call(service, 'POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  return id;
}

export function nameOf(at) {
  return `${labelOf(at)}.width.example.`;
}

export function labelOf(at) {
  return `d${String(at).padStart(7, '0')}`;
}

/** Domains from one number to another, as fast as they come. */
export function fillWhole(service, from, to) {
  return atOnce(CONNECTIONS, [from, to], (at) => makeWhole(service, nameOf(at)));
}

/** First the domains alone, and then their records, against the clock. */
export async function fillTimed(service, from, to) {
  const domains = [];
  const begun = performance.now();
  await atOnce(CONNECTIONS, [from, to], async (at) => {
    domains.push({ id: await makeDomain(service, nameOf(at)), name: nameOf(at) });
  });
  const between = performance.now();
  await atOnce(CONNECTIONS, [0, domains.length], (at) => addRecords(service, domains[at]));
  return {
    'made, 1/s': perSecond(to - from, between - begun),
    'filled, 1/s': perSecond(to - from, performance.now() - between),
  };
}

/** A domain and its records in one request, as PowerDNS's API has it. */
function makeWhole(service, name) {
  const records = [{ content: '192.0.2.1', disabled: false }];
  const rrsets = hostsOf(name).map((host) => ({ name: host, type: 'A', ttl: 3600, records }));
  const headers = { ...service.headers, 'X-API-Key': service.token };
  return call({ ...service, headers }, 'POST', POWERDNS, { name, kind: 'Native', nameservers: [], rrsets });
}

function addRecords(service, { id, name }) {
  const changes = hostsOf(name).map((host) => ({
    action: 'create',
    record: { name: host, type: 'A', data: '192.0.2.1' },
  }));
  return call(service, 'POST', `/v1/domains/${id}/changes`, { changes });
}

function hostsOf(name) {
  return Array.from({ length: RECORDS }, (_, at) => `h${at}.${name}`);
}

function perSecond(count, milliseconds) {
  return round(count / (milliseconds / 1000), 0);
}
