/**
 * Floor: node:http with only the database work of a create and a get: the rows of the service in its schema, by
 * prepared statements, with pending changes in one commit. No authentication and no DNS rules. `node database.mjs
 * <port> <file>`; the file has the tables of the service.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers';
import { loadSqlite } from '../../dist/src/database/sqlite/sqlite-driver.js';
import { listen } from './bare-http.mjs';
import { isRecordBody } from './record-body.mjs';

const Database = loadSqlite();

const GROUP_SIZE = 128;
const TENANT = 'bench';
const DOMAIN = {
  id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4',
  name: 'floor.example.',
  nameKey: 'example floor',
};
const RECORD_FIELDS =
  'id, zone_id, name, type, data, priority, ttl, description, version, created_at, updated_at FROM records';

const [port, file] = process.argv.slice(2);
const writer = new Database(file);
writer.pragma('journal_mode = WAL');
writer.pragma('synchronous = FULL');
const reader = new Database(file, { readonly: true });

const begin = writer.prepare('BEGIN IMMEDIATE');
const commit = writer.prepare('COMMIT');
const rollback = writer.prepare('ROLLBACK');
const findDomain = writer.prepare('SELECT * FROM zones WHERE id = ?');
const updateDomain = writer.prepare(
  'UPDATE zones SET serial = ?, version = ?, record_count = ?, record_set_count = ?, changed_at = ? WHERE id = ?',
);
const insertSet = writer.prepare(
  'INSERT INTO record_sets (zone_id, owner_key, type, id, name, version, created_at, record_count, octets)' +
    ' VALUES (?, ?, ?, ?, ?, 1, ?, 1, 4)',
);
const insertRecord = writer.prepare(
  'INSERT INTO records (zone_id, id, name, owner_key, type, data, priority, ttl, description, rdata, fingerprint,' +
    ' version, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, NULL)',
);
const insertJournal = writer.prepare(
  'INSERT INTO journal (zone_id, number, serial, change_id, action, record_id, before, after, tenant_id, request_id, at)' +
    " VALUES (?, ?, ?, ?, 'record.create', ?, NULL, ?, ?, ?, ?)",
);
const readDomain = reader.prepare('SELECT * FROM zones WHERE id = ?');
const readRecord = reader.prepare(`SELECT ${RECORD_FIELDS} WHERE zone_id = ? AND id = ?`);
const readPage = reader.prepare(`SELECT ${RECORD_FIELDS} WHERE zone_id = ? AND id > ? ORDER BY id LIMIT ?`);

makeDomain();
let waiting = [];
listen(Number(port), answer);

function answer(method, url, body) {
  if (method === 'POST') return isRecordBody(body) ? create(body) : { status: 400, body: {} };
  if (readDomain.get(DOMAIN.id) === undefined) return { status: 404, body: {} };
  if (url.startsWith('/?')) return { status: 200, body: { records: readPage.all(DOMAIN.id, '', 20).map(shown) } };
  const record = readRecord.get(DOMAIN.id, url.slice(1));
  return record === undefined ? { status: 404, body: {} } : { status: 200, body: shown(record) };
}

/** Everything that arrives before the commit goes into it. */
function create(body) {
  return new Promise((resolve) => {
    waiting.push({ body, resolve });
    if (waiting.length === 1) setImmediate(commitWaiting);
  });
}

function commitWaiting() {
  const group = waiting.splice(0, GROUP_SIZE);
  if (waiting.length > 0) setImmediate(commitWaiting);
  begin.run();
  try {
    const answers = group.map(({ body }) => ({ status: 200, body: shown(store(body)) }));
    commit.run();
    for (const [at, { resolve }] of group.entries()) resolve(answers[at]);
  } catch {
    rollback.run();
    for (const { resolve } of group) resolve({ status: 500, body: {} });
  }
}

function store({ name, type, data, priority = null, ttl = null, description = null }) {
  const domain = findDomain.get(DOMAIN.id);
  const now = Date.now() * 1000;
  const serial = Math.max(Math.floor(now / 1_000_000), domain.serial + 1);
  const version = domain.version + 1;
  const id = timeOrderedId(now, version);
  const ownerKey = name.toLowerCase().split('.').reverse().join(' ').trim();
  const rdata = Buffer.from(data.split('.').map(Number)).toString('hex');
  const record = { id, zone_id: DOMAIN.id, name, type, data, priority, ttl, description, version: 1 };
  insertSet.run(DOMAIN.id, ownerKey, type, randomUUID(), name, now);
  insertRecord.run(DOMAIN.id, id, name, ownerKey, type, data, priority, ttl, description, rdata, rdata, now);
  const after = JSON.stringify({ v: 2, ...record, rdata, createdAt: now, updatedAt: null });
  insertJournal.run(DOMAIN.id, version, serial, randomUUID(), id, after, TENANT, randomUUID(), now);
  updateDomain.run(serial, version, domain.record_count + 1, domain.record_set_count + 1, now, DOMAIN.id);
  return { ...record, created_at: now, updated_at: null };
}

function shown(record) {
  return { ...record, created_at: iso(record.created_at), updated_at: record.updated_at && iso(record.updated_at) };
}

function iso(micros) {
  return new Date(micros / 1000).toISOString();
}

/** Grows with time, as the service's ids do: rows are added at the end of the table. */
function timeOrderedId(micros, version) {
  const time = Math.floor(micros / 1000)
    .toString(16)
    .padStart(12, '0');
  const count = version.toString(16).padStart(12, '0').slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count}`;
}

function makeDomain() {
  const now = Date.now() * 1000;
  writer
    .prepare(
      'INSERT INTO zones (id, tenant_id, name, name_key, email, ttl, description, serial, version, record_count,' +
        " record_set_count, changed_at, created_at, updated_at) VALUES (?, ?, ?, ?, 'hostmaster@example.org', 3600," +
        ' NULL, ?, 1, 0, 0, ?, ?, NULL)',
    )
    .run(DOMAIN.id, TENANT, DOMAIN.name, DOMAIN.nameKey, Math.floor(now / 1_000_000), now, now);
}
