import type { MigrationInterface, QueryRunner } from 'typeorm';

const ORDERS =
  'CREATE TABLE zone_orders (zone_id varchar(36) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL,' +
  ' serial bigint NOT NULL, record_count integer NOT NULL, changed_at bigint NOT NULL,' +
  ' status varchar(8) COLLATE "C" NOT NULL, PRIMARY KEY (zone_id))';
/** The one row says by which rules the statuses in the index were found, and up to which zone. */
const RULES =
  'CREATE TABLE zone_status_rules (id integer NOT NULL, rules varchar(64) NOT NULL,' +
  ' found_to varchar(36) COLLATE "C" NOT NULL, PRIMARY KEY (id))';
const QUEUE = 'CREATE TABLE zone_order_queue (zone_id varchar(36) COLLATE "C" NOT NULL, PRIMARY KEY (zone_id))';
const INDEXES = ['serial', 'record_count', 'changed_at', 'status'].map(
  (column) => `CREATE INDEX zone_orders_by_${column} ON zone_orders (tenant_id, ${column}, zone_id)`,
);
/** All that are there; the service sorts them after its start. */
const FILL_QUEUE = 'INSERT INTO zone_order_queue (zone_id) SELECT id FROM zones';
const enqueue = (row: string, id = 'id'): string =>
  `INSERT INTO zone_order_queue (zone_id) VALUES (${row}.${id}) ON CONFLICT DO NOTHING`;
/** With what the status depends on. */
const VALUES = ['tenant_id', 'serial', 'record_count', 'changed_at', 'type', 'transferred_at'];
const AFTER_UPDATE = `AFTER UPDATE OF ${VALUES.join(', ')} ON zones FOR EACH ROW WHEN`;

/** Tables on which statuses depend, and when they change. A short refusal becomes a lasting one at a check. */
const STATUS_SOURCES = {
  publications: {
    columns: ['serial', 'refusing_since', 'inconsistency'],
    always: 'NEW.serial IS NULL AND NEW.refusing_since IS NOT NULL',
  },
  transfers_in: { columns: ['refused_since'], always: 'false' },
};
const EVENTS = ['insert', 'update', 'delete'] as const;
const rowValues = (row: string, columns: readonly string[]): string =>
  `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
const statusTriggers = (differs: string, act: (row: 'OLD' | 'NEW') => string): string[] =>
  Object.entries(STATUS_SOURCES).flatMap(([table, { columns, always }]) => {
    const isNews = ` WHEN (${rowValues('OLD', columns)} ${differs} ${rowValues('NEW', columns)} OR (${always}))`;
    return EVENTS.map(
      (event) =>
        `CREATE TRIGGER ${table}_orders_${event} AFTER ${event.toUpperCase()} ON ${table} FOR EACH ROW` +
        `${event === 'update' ? isNews : ''} ${act(event === 'delete' ? 'OLD' : 'NEW')}`,
    );
  });

const SQLITE = [
  ...[ORDERS, QUEUE, RULES].map((sql) => `${sql.replaceAll(' COLLATE "C"', '')} WITHOUT ROWID`),
  ...statusTriggers('IS NOT', (row) => `BEGIN ${enqueue(row, 'zone_id')}; END`),
  ...INDEXES,
  `CREATE TRIGGER zones_orders_insert AFTER INSERT ON zones BEGIN ${enqueue('NEW')}; END`,
  `CREATE TRIGGER zones_orders_update ${AFTER_UPDATE} ${rowValues('OLD', VALUES)} IS NOT ${rowValues('NEW', VALUES)} BEGIN ${enqueue('NEW')}; END`,
  `CREATE TRIGGER zones_orders_delete AFTER DELETE ON zones BEGIN ${enqueue('OLD')}; END`,
];

const functionSql = (name: string, statement: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$`;
/** Locks the row in the queue until the commit: whoever takes it from there could not see the new values before. */
const enqueueLocked = (row: string): string =>
  `INSERT INTO zone_order_queue (zone_id) VALUES (${row}.zone_id)` +
  ' ON CONFLICT (zone_id) DO UPDATE SET zone_id = excluded.zone_id';
const POSTGRES = [
  ORDERS,
  QUEUE,
  RULES,
  ...INDEXES,
  functionSql('zone_orders_enqueue_status_of_new', enqueueLocked('NEW')),
  functionSql('zone_orders_enqueue_status_of_old', enqueueLocked('OLD')),
  ...statusTriggers('IS DISTINCT FROM', (row) =>
    `EXECUTE FUNCTION zone_orders_enqueue_status_of_${row}()`.toLowerCase(),
  ),
  functionSql('zone_orders_enqueue', enqueue('NEW')),
  functionSql('zone_orders_enqueue_deleted', enqueue('OLD')),
  'CREATE TRIGGER zones_orders_insert AFTER INSERT ON zones FOR EACH ROW EXECUTE FUNCTION zone_orders_enqueue()',
  `CREATE TRIGGER zones_orders_update ${AFTER_UPDATE} (${rowValues('OLD', VALUES)} IS DISTINCT FROM ${rowValues('NEW', VALUES)})` +
    ' EXECUTE FUNCTION zone_orders_enqueue()',
  'CREATE TRIGGER zones_orders_delete AFTER DELETE ON zones FOR EACH ROW EXECUTE FUNCTION zone_orders_enqueue_deleted()',
];

/** The orders of zones by serial, records, change and status (ADR 7). Triggers, because the release before writes zones too. */
export class ExpandZoneOrders1764520000000 implements MigrationInterface {
  readonly name = 'ExpandZoneOrders1764520000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of isPostgres(runner) ? POSTGRES : SQLITE) await runner.query(statement);
    await runner.query(FILL_QUEUE);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['zones', ...Object.keys(STATUS_SOURCES)])
      for (const event of EVENTS)
        await runner.query(`DROP TRIGGER ${table}_orders_${event}${isPostgres(runner) ? ` ON ${table}` : ''}`);
    if (isPostgres(runner))
      for (const name of ['enqueue', 'enqueue_deleted', 'enqueue_status_of_new', 'enqueue_status_of_old'])
        await runner.query(`DROP FUNCTION zone_orders_${name}()`);
    for (const table of ['zone_order_queue', 'zone_orders', 'zone_status_rules'])
      await runner.query(`DROP TABLE ${table}`);
  }
}

function isPostgres({ dataSource }: QueryRunner): boolean {
  return dataSource.options.type === 'postgres';
}
