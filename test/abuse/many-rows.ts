import { hash } from 'node:crypto';
import { Database } from '../support/sqlite.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { isPostgresUrl, lookInto } from '../support/stored.js';

/** As `label=common=yes` finds them. */
const LABELS = quoted('{"common":"yes"}');

/** Planner statistics: none, current, or from a time when the tables were almost empty. */
export type Statistics = 'none' | 'right' | 'of other data';

/** Whose all of it is. */
export const OWNER = 'mallory';
export const ZONE = '01900000-0000-7000-8000-ffffffffffff';
const ZONE_NAME = 'large.example.com.';
export const WEBHOOK = '01900000-0000-7000-8000-fffffffffffe';

const tokenOf = (tenant: string, roles: string, digit: string) =>
  ({ id: `01900000-0000-7000-8000-${digit.repeat(12)}`, tenant, roles, token: `zw_${digit.repeat(43)}` }) as const;
/** The tokens by role. */
export const TOKENS = {
  admin: tokenOf(OWNER, 'admin', 'a'),
  member: tokenOf(OWNER, 'member', 'b'),
  good: tokenOf('good-tenant', 'member', 'c'),
};

/** A row for each number from 0 on; the expressions are SQL of both databases, in which `n.i` is the number. */
type Rows = Readonly<Record<string, string>>;

const NOW = String(Date.now() * 1000);
const TIMES = { created_at: `${NOW} + n.i` };
const OWNED = { tenant_id: `'${OWNER}'` };

/**
 * Inserts `rows` rows into each listed table, bypassing the service; references among the rows are consistent for
 * lists.
 * @param zones the maximum number of zones: the record set search reads zones sequentially, even empty ones
 */
export function storeManyRows(database: string, rows: number, statistics: Statistics, zones = rows): void {
  // Zones that were made by a service with another configuration would be made anew.
  const [made] = lookInto(database, (stored) => stored.rows<{ generation: string }>('SELECT generation FROM zones'));
  const tables = tablesOf(isPostgresUrl(database), made?.generation ?? '');
  const run = runnerOf(database);
  const isPostgres = isPostgresUrl(database);
  const fill = (count: number): void => {
    for (const [table, columns] of Object.entries(tables))
      run(insertionOf(table, columns, table === 'zones' ? Math.min(count, zones) : count, isPostgres));
    run(
      `UPDATE zones SET record_count = ${count}, record_set_count = ${count}, version = ${count}, name = '${ZONE_NAME}',` +
        ` name_key = 'com example large', id = '${ZONE}', labels = NULL WHERE id = ${idOf('0', isPostgres)}`,
    );
    run(`DELETE FROM event_log_tenants`);
    run(`INSERT INTO event_log_tenants (tenant_id, last_position) VALUES ('${OWNER}', ${count})`);
    for (const { id, tenant, roles, token } of Object.values(TOKENS))
      run(
        'INSERT INTO tokens (id, hash, tenant_id, roles, created_at) VALUES' +
          ` ('${id}', '${hash('sha256', token)}', '${tenant}', '${roles}', ${NOW})`,
      );
  };
  if (isPostgres) for (const table of Object.keys(tables)) run(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  if (statistics === 'of other data') {
    fill(3);
    run('ANALYZE');
    for (const table of Object.keys(tables)) run(`DELETE FROM ${table}`);
  }
  fill(rows);
  if (statistics === 'right') run('ANALYZE');
  run.end();
}

function runnerOf(database: string): ((sql: string) => void) & { end(): void } {
  if (isPostgresUrl(database)) {
    const run = (sql: string): void => void queryPostgres(database, sql);
    return Object.assign(run, { end: () => undefined });
  }
  const file = new Database(database, { fileMustExist: true });
  file.pragma('synchronous = OFF');
  return Object.assign((sql: string): void => void file.exec(sql), { end: () => void file.close() });
}

function insertionOf(table: string, columns: Rows, count: number, isPostgres: boolean): string {
  const last = count - 1;
  const numbers = isPostgres
    ? `generate_series(0, ${last}) AS n(i)`
    : `(WITH RECURSIVE m(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < ${last}) SELECT i FROM m) n`;
  const [names, values] = [Object.keys(columns).join(', '), Object.values(columns).join(', ')];
  return `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${numbers} WHERE TRUE`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function idOf(number: string, isPostgres: boolean): string {
  const digits = isPostgres ? `lpad((${number})::text, 12, '0')` : `printf('%012d', ${number})`;
  return `'01900000-0000-7000-8000-' || ${digits}`;
}

function tablesOf(isPostgres: boolean, generation: string): Readonly<Record<string, Rows>> {
  const id = idOf('n.i', isPostgres);
  const known = { id, ...TIMES };
  const inZone = { zone_id: `'${ZONE}'`, owner_key: "'com example large h' || n.i", type: "'A'", id };
  const set = { ...inZone, name: `'h' || n.i || '.${ZONE_NAME}'`, version: '1', ...TIMES };
  const snapshot =
    `'{"v":2,"id":"' || ${id} || '","name":"h' || n.i || '.${ZONE_NAME}","type":"A","data":"10.0.0.1","priority":null,'` +
    ` || '"ttl":null,"description":null,"rdata":"0a000001","version":1,"createdAt":${NOW},"updatedAt":null}'`;
  const step = {
    zone_id: `'${ZONE}'`,
    number: 'n.i + 1',
    serial: 'n.i + 1',
    ...OWNED,
    request_id: "'req-seed'",
    at: `${NOW} + n.i`,
  };
  const zone = { name: "'z' || n.i || '.many.example.net.'", name_key: "'net example many z' || n.i" };
  return {
    zones: {
      ...{ ...known, ...OWNED, ...zone, email: "'hostmaster@example.org'", ttl: '3600', serial: '1', version: '1' },
      ...{
        record_count: '0',
        record_set_count: '0',
        changed_at: `${NOW} + n.i`,
        generation: quoted(generation),
        description: "'zone ' || n.i",
        labels: LABELS,
      },
    },
    record_sets: { ...set, record_count: '1', octets: '4', labels: LABELS },
    records: {
      ...set,
      data: "'10.0.0.' || n.i",
      rdata: "'0a000001'",
      fingerprint: "'seed'",
      description: "'text ' || n.i",
    },
    journal: { ...step, change_id: id, action: "'record.create'", record_id: id, after: snapshot },
    event_log: {
      ...{ ...OWNED, position: 'n.i + 1', zone_id: `'${ZONE}'`, first_number: 'n.i + 1', entries: '1' },
      at: `${NOW} + n.i`,
    },
    audit_entries: {
      at: `${NOW} + n.i`,
      id,
      number: '1',
      action: "'token.create'",
      ...OWNED,
      request_id: "'req-seed'",
    },
    zone_shares: { ...known, zone_id: `'${ZONE}'`, target_tenant_id: "'tenant-' || n.i" },
    zone_tasks: {
      ...{ ...known, ...OWNED, kind: "CASE WHEN n.i % 2 = 0 THEN 'import' ELSE 'export' END", status: "'COMPLETE'" },
      ...{ message: "'message ' || n.i", renewals: '0', version: '1' },
    },
    zone_transfer_requests: {
      ...{ ...known, ...OWNED, zone_id: idOf('n.i + 1', isPostgres), transfer_key: "'ABCDEFGH'" },
      ...{ status: "'COMPLETE'", description: "'request ' || n.i" },
    },
    zone_transfer_accepts: { ...known, ...OWNED, request_id: id, zone_id: idOf('n.i + 1', isPostgres) },
    tlds: {
      ...known,
      name: "CASE WHEN n.i = 0 THEN 'org' ELSE 't' || n.i END",
      name_key: "CASE WHEN n.i = 0 THEN 'org' ELSE 't' || n.i END",
    },
    blacklists: { ...known, pattern: "'^b' || n.i || '[.]example[.]net[.]$'" },
    tsig_keys: {
      ...{ ...known, name: "'key' || n.i", name_key: "'key' || n.i", algorithm: "'hmac-sha256'", secret: "'c2VjcmV0'" },
      ...{ scope: "'POOL'", resource_id: id },
    },
    pools: { ...known, name: "'pool ' || n.i", ns_records: "'[]'" },
    service_statuses: {
      ...{ ...known, service_name: "'central'", hostname: "'host' || n.i", status: "'DOWN'", heartbeated_at: NOW },
    },
    tokens: {
      ...{ ...known, ...OWNED, hash: "'seed' || n.i", roles: "'reader'" },
      // Each of the first thousand was made with the one before it.
      parent_id: `CASE WHEN n.i = 0 THEN '${TOKENS.member.id}' WHEN n.i < 1000 THEN ${idOf('n.i - 1', isPostgres)} END`,
    },
    webhook_deliveries: {
      ...{ ...known, webhook_id: `'${WEBHOOK}'`, zone_id: `'${ZONE}'`, number: 'n.i + 1', event_id: id },
      ...{ event_type: "'record.create'", status: "CASE WHEN n.i % 2 = 0 THEN 'delivered' ELSE 'dead' END" },
      ...{ attempts: '1', retry_until: NOW, settled_at: NOW },
    },
    webhooks: {
      ...{ created_at: NOW, ...OWNED, url: "'https://example.org/'", enabled: '0', secret: "'seed'" },
      id: `CASE WHEN n.i = 0 THEN '${WEBHOOK}' ELSE ${id} END`,
    },
  };
}
