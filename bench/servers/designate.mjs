import { spawnSync } from 'node:child_process';

const HEADERS = { 'X-Auth-Project-ID': 'bench', 'X-Roles': 'admin', Accept: 'application/json' };
const JSON_HEADERS = { ...HEADERS, 'Content-Type': 'application/json' };
const LISTED = 20;
const EMAIL = 'hostmaster@example.org';
const UNLIMITED = { zones: -1, zone_recordsets: -1, zone_records: -1, recordset_records: -1, api_export_size: -1 };
const POLLS = 60;
const POLL_MS = 500;

/** Why it cannot take part; `null`: it can. It needs a database, a message queue and name servers. */
export function designateFault() {
  if (process.env.DESIGNATE_URL !== undefined) return null;
  return 'No Designate is running: start designate-api of Debian with auth_strategy = noauth, and name its address in DESIGNATE_URL';
}

/** The version of the Debian package; `null`: unknown. */
export function designateVersion() {
  const { status, stdout } = spawnSync('dpkg-query', ['--show', '--showformat=${Version}', 'designate-api'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout : null;
}

/** An external Designate with its name servers; created zones stay. */
export async function designateContestant({ name }) {
  const url = process.env.DESIGNATE_URL.replace(/\/$/, '');
  const call = callerOf(url);
  const tag = Date.now().toString(36);
  await call('PATCH', '/v2/quotas/bench', UNLIMITED);
  const read = await makeZone(call, `read-${tag}.example.`, LISTED);
  const create = await makeZone(call, `create-${tag}.example.`);
  const { recordsets } = await call('GET', `/v2/zones/${read.id}/recordsets?type=A`);
  const get = { method: 'GET', headers: HEADERS, order: 'cycle' };
  const post = { method: 'POST', headers: JSON_HEADERS, order: 'fresh', perSecond: 500 };
  const templates = {
    'create record set': {
      ...post,
      path: `/v2/zones/${create.id}/recordsets`,
      body: `{"name":"r-%serial%.${create.name}","type":"A","records":["192.0.2.1"]}`,
    },
    'get record set': {
      ...get,
      path: `/v2/zones/${read.id}/recordsets/%id%`,
      picks: recordsets.map(({ id }) => ({ id })),
    },
    'list of 20 record sets': { ...get, path: `/v2/zones/${read.id}/recordsets?limit=${LISTED}` },
    'create zone': { ...post, path: '/v2/zones', body: `{"name":"z-%serial%-${tag}.example.","email":"${EMAIL}"}` },
  };
  // Its web server may end the connection after each answer.
  return { name, url, closes: true, templates };
}

async function makeZone(call, name, sets = 0) {
  const { id } = await call('POST', '/v2/zones', { name, email: EMAIL });
  for (let at = 0; at < sets; at += 1)
    await call('POST', `/v2/zones/${id}/recordsets`, { name: `h${at}.${name}`, type: 'A', records: ['192.0.2.1'] });
  await active(call, id);
  return { id, name };
}

async function active(call, id) {
  for (let at = 0; at < POLLS; at += 1) {
    if ((await call('GET', `/v2/zones/${id}`)).status === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('Designate does not publish its zones: are its worker and its name servers running?');
}

function callerOf(url) {
  return async (method, path, body) => {
    const headers = { ...JSON_HEADERS, 'X-Auth-All-Projects': 'true' };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Designate: ${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}
