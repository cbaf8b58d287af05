/** Common requests of PowerDNS clients, equal for every server. */

const ZONES = '/api/v1/servers/localhost/zones';
const SETS = 1000;

export const API_WORKLOADS = {
  patch: 'PATCH of one set',
  zone: 'GET of a zone of 1000 records',
  list: 'GET of all zones',
};

/**
 * The requested zones, and the requests.
 * @param zones the number of zones in a list
 */
export async function apiTemplates({ url, key }, zones) {
  const headers = { 'X-API-Key': key, Accept: 'application/json' };
  const make = (name, sets) => makeZone(url, headers, name, sets);
  await make('api-zone.example.', SETS);
  // Sequentially: PowerDNS refuses some concurrent creations.
  for (let at = 0; at < zones; at += 1) await make(`api-${at}.example.`, 0);
  const get = { method: 'GET', headers, order: 'cycle', picks: [{}] };
  return {
    [API_WORKLOADS.patch]: {
      method: 'PATCH',
      headers: { ...headers, 'Content-Type': 'application/json' },
      path: `${ZONES}/api-zone.example.`,
      body: JSON.stringify({ rrsets: [rrset('h%at%.api-zone.example.', '198.18.%high%.%low%')] }),
      picks: Array.from({ length: SETS }, (_, at) => ({ at })),
      order: 'fresh',
      perSecond: 5000,
    },
    [API_WORKLOADS.zone]: { ...get, path: `${ZONES}/api-zone.example.` },
    [API_WORKLOADS.list]: { ...get, path: ZONES },
  };
}

async function makeZone(url, headers, name, sets) {
  const rrsets = Array.from({ length: sets }, (_, at) => rrset(`h${at}.${name}`, '192.0.2.1'));
  const zone = { name, kind: 'Native', nameservers: ['ns1.example.net.'], rrsets };
  const request = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  const answer = await fetch(`${url}${ZONES}?rrsets=false`, { ...request, body: JSON.stringify(zone) });
  if (!answer.ok) throw new Error(`${name} is not made: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

function rrset(name, content) {
  return { name, type: 'A', ttl: 3600, changetype: 'REPLACE', records: [{ content, disabled: false }] };
}
