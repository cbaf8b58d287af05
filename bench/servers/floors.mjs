import path from 'node:path';
import { cores, freePort, startServer } from '../processes.mjs';
import { zonewright, zonewrightEnvironment } from './zonewright.mjs';

const HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };
const HELLO = { method: 'GET', path: '/', headers: HEADERS, order: 'cycle' };
const CREATE = {
  method: 'POST',
  path: '/',
  headers: HEADERS,
  body: '{"name":"r-%serial%.floor.example.","type":"A","data":"192.0.2.1"}',
};

/** A server without storage: the cost of HTTP alone, with and without a framework. */
export async function startFloor(name, script) {
  const { child, url } = await startScript(name, script, '/');
  const hello = { get: HELLO, 'list of 20': HELLO };
  return { name, child, url, templates: { ...hello, create: { ...CREATE, order: 'cycle' } } };
}

/** node:http with the service's database statements and group commit. */
export async function startDatabaseFloor(name, directory) {
  const file = path.join(directory, 'floor.sqlite');
  zonewright(directory, zonewrightEnvironment(`sqlite:${file}`), 'migrate');
  const { child, url } = await startScript(name, 'database.mjs', '/?limit=20', file);
  const picks = [];
  for (let at = 0; at < 100; at += 1) {
    const body = JSON.stringify({ name: `seed-${at}.floor.example.`, type: 'A', data: '192.0.2.1' });
    const answer = await fetch(url, { method: 'POST', headers: HEADERS, body });
    picks.push({ id: (await answer.json()).id });
  }
  const templates = {
    create: { ...CREATE, order: 'fresh', perSecond: 20_000 },
    get: { ...HELLO, path: '/%id%', picks },
    'list of 20': { ...HELLO, path: '/?limit=20' },
  };
  return { name, child, url, templates };
}

async function startScript(name, script, ready, ...args) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = path.join(path.dirname(import.meta.dirname), 'floors', script);
  const command = process.execPath;
  const child = await startServer({
    name,
    command,
    args: [file, String(port), ...args],
    core: cores.server,
    url: url + ready,
  });
  return { child, url };
}
