import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { round } from '../statistics.mjs';
import { call, nameOf } from './filling.mjs';

const PAGE = 100;
const TRIES = 3;
/** In milliseconds. */
const POLL = 200;
/** The first success of the task that indexes the names. */
const INDEXED = /^zonewright_background_last_success_timestamp_seconds\{task="zones\.search"\} [1-9]/m;
/** In milliseconds: slower pages are measured once. */
const LONG = 1000;
/** No list by number goes further. */
const LARGEST_OFFSET = 200_000;

/** List pages, each by its best of some tries. Pages in index order are separate from full searches. */
export async function pages(running, size) {
  const service = { ...running, headers: { ...running.headers, 'X-API-Key': running.token } };
  const middle = (await call(service, 'GET', `/v1/domains?limit=1&name=${nameOf(Math.floor(size / 2))}`)).domains[0].id;
  await whenIndexed(running);
  const indexed = await timed(service, indexedPlaces(size, middle));
  const searched = await timed(service, searchedPlaces(size, middle));
  console.table({ ...indexed, ...searched });
  return {
    'slowest page by index, ms': Math.max(...Object.values(indexed)),
    'slowest page by search, ms': Math.max(...Object.values(searched)),
    'slowest page by search': Object.keys(searched).sort((one, other) => searched[other] - searched[one])[0],
  };
}

/** After a copy of rows, all domains wait for the text index. */
async function whenIndexed({ url, token }) {
  const begun = performance.now();
  const metrics = () => fetch(`${url}/metrics`, { headers: { 'X-Auth-Token': token } });
  while (!INDEXED.test(await (await metrics()).text())) await delay(POLL);
  process.stderr.write(`text index: ${round((performance.now() - begun) / 1000, 1)} s\n`);
}

function indexedPlaces(size, middle) {
  const half = Math.min(Math.floor(size / 2), LARGEST_OFFSET);
  const places = {
    'v1, first': `/v1/domains?limit=${PAGE}`,
    'v1, middle': `/v1/domains?limit=${PAGE}&marker=${middle}`,
    'v1, one name': `/v1/domains?limit=${PAGE}&name=${nameOf(size - 1)}`,
    'v1, first by name, counted': `/v1/domains?limit=${PAGE}&sort=name&count=true`,
    'v1, middle by name': `/v1/domains?limit=${PAGE}&sort=name&offset=${half}`,
    'v1, last by name': `/v1/domains?limit=${PAGE}&sort=-name`,
    'v1, latest': `/v1/domains?limit=${PAGE}&sort=-created`,
    'v1, middle of the latest': `/v1/domains?limit=${PAGE}&sort=-created&offset=${half}`,
    'v2, first': `/v2/zones?limit=${PAGE}`,
    'v2, middle': `/v2/zones?limit=${PAGE}&marker=${middle}`,
    'v2, one name': `/v2/zones?limit=${PAGE}&name=${nameOf(half)}`,
    'v1, failed, counted': `/v1/domains?limit=${PAGE}&publication=failed&sort=name&count=true`,
    'v2, status=ERROR': `/v2/zones?limit=${PAGE}&status=ERROR`,
  };
  for (const key of ['name', 'created_at', 'updated_at'])
    for (const direction of ['asc', 'desc'])
      places[`v2, ${key} ${direction}`] =
        `/v2/zones?limit=${PAGE}&marker=${middle}&sort_key=${key}&sort_dir=${direction}`;
  return places;
}

function searchedPlaces(size, middle) {
  const half = Math.min(Math.floor(size / 2), LARGEST_OFFSET);
  const places = {
    'v1, text': `/v1/domains?limit=${PAGE}&q=999.width`,
    'v1, rare text, counted': `/v1/domains?limit=${PAGE}&q=77777&count=true`,
    'v1, text of most, counted': `/v1/domains?limit=${PAGE}&q=width&count=true`,
    'v1, text of none': `/v1/domains?limit=${PAGE}&q=nowhere`,
    'v1, updated': `/v1/domains?limit=${PAGE}&sort=-updated`,
    'v1, records': `/v1/domains?limit=${PAGE}&sort=-records&count=true`,
    'v1, middle of the updated': `/v1/domains?limit=${PAGE}&sort=updated&offset=${half}`,
    'v1, pending': `/v1/domains?limit=${PAGE}&publication=pending&count=true`,
    '/api, zones': '/api/v1/servers/localhost/search-data?q=*77777*&object_type=zone',
  };
  for (const key of ['serial', 'ttl', 'status'])
    places[`v2, ${key}`] = `/v2/zones?limit=${PAGE}&marker=${middle}&sort_key=${key}`;
  for (const filter of [
    ...['name=*999.width.example.', 'name=d00*', 'name=d*', 'email=nobody@example.org', 'email=hostmaster@example.org'],
    ...['status=ACTIVE', 'ttl=1', 'ttl=3600', 'type=PRIMARY', 'type=SECONDARY', 'description=nowhere'],
  ])
    places[`v2, ${filter}`] = `/v2/zones?limit=${PAGE}&${filter}`;
  return places;
}

async function timed(service, places) {
  const taken = {};
  for (const [what, place] of Object.entries(places)) {
    const times = [];
    while (times.length < TRIES && !(times[0] > LONG)) {
      const begun = performance.now();
      await call(service, 'GET', place);
      times.push(performance.now() - begun);
    }
    taken[what] = round(Math.min(...times), 1);
  }
  return taken;
}
