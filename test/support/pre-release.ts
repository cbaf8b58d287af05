import { executeIn, isPostgresUrl } from './stored.js';

const LAST = 'ExpandSoaTtl1764120000000';
const COUNT = 54;

/** Of migrations after 1.0.0. */
const LATER_TABLES = [
  ...['left_contents', 'zone_search_queue', 'zone_search_blocks', 'zone_labels', 'record_set_labels'],
  ...[
    'zone_orders',
    'zone_order_queue',
    'zone_status_rules',
    'moved_contents',
    'staged_changes',
    'alias_targets',
    'alias_owners',
    'zone_templates',
    'live_checks',
    'key_signatures',
  ],
];
const LATER_FUNCTIONS = [
  ...['search_enqueue', 'orders_enqueue', 'orders_enqueue_deleted'],
  ...['orders_enqueue_status_of_new', 'orders_enqueue_status_of_old'],
];
const ORDERS = ['orders_insert', 'orders_update', 'orders_delete'];
const LATER_TRIGGERS = {
  zones: ['search_insert', 'search_update', ...ORDERS],
  publications: ORDERS,
  transfers_in: ORDERS,
};
const LATER_INDEXES = [
  ...['records_alias', 'zones_of_tenant_by_ttl', 'zones_of_tenant_by_email', 'zones_secondary', 'zone_keys_by_age'],
];

/**
 * Makes the schema of an up-to-date database that of a commit before 1.0.0.
 * @param run the number of its migrations: 54 in the last of these commits
 */
export function makePreRelease(database: string, run = COUNT): void {
  const names = Array.from({ length: COUNT - 1 }, (_, at) => `Former${1_763_600_000_000 + at}`);
  const rows = [...names, LAST].slice(0, run).map((name) => `(${name.slice(-13)}, '${name}')`);
  const isPostgres = isPostgresUrl(database);
  const others = isPostgres ? LATER_FUNCTIONS.map((name) => `FUNCTION zone_${name}`) : ['TABLE zone_search_text'];
  for (const [table, triggers] of Object.entries(LATER_TRIGGERS))
    for (const trigger of triggers)
      executeIn(database, `DROP TRIGGER ${table}_${trigger}${isPostgres ? ` ON ${table}` : ''}`);
  for (const table of ['zones', 'record_sets']) {
    const onTable = isPostgres ? ` ON ${table}` : '';
    for (const when of ['insert', 'update', 'delete']) {
      executeIn(database, `DROP TRIGGER ${table}_labels_${when}${onTable}`);
      if (onTable !== '') executeIn(database, `DROP FUNCTION ${table}_labels_${when}`);
    }
    executeIn(database, `ALTER TABLE ${table} DROP COLUMN labels`);
  }
  executeIn(database, 'ALTER TABLE webhooks DROP COLUMN labels');
  executeIn(database, 'ALTER TABLE zone_keys DROP COLUMN signer');
  executeIn(database, 'ALTER TABLE zone_signing DROP COLUMN key_ttl');
  for (const other of others) executeIn(database, `DROP ${other}`);
  for (const index of LATER_INDEXES) executeIn(database, `DROP INDEX ${index}`);
  for (const table of LATER_TABLES) executeIn(database, `DROP TABLE ${table}`);
  executeIn(database, `DELETE FROM migrations; INSERT INTO migrations ("timestamp", name) VALUES ${rows.join(', ')}`);
}
