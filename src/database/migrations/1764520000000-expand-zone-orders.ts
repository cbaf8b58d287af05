import type { MigrationInterface, QueryRunner } from 'typeorm';

const ORDERS =
  'CREATE TABLE zone_orders (zone_id varchar(36) COLLATE "C" NOT NULL, tenant_id varchar(255) COLLATE "C" NOT NULL,' +
  ' serial bigint NOT NULL, record_count integer NOT NULL, changed_at bigint NOT NULL, PRIMARY KEY (zone_id))';
const QUEUE = 'CREATE TABLE zone_order_queue (zone_id varchar(36) COLLATE "C" NOT NULL, PRIMARY KEY (zone_id))';
const INDEXES = ['serial', 'record_count', 'changed_at'].map(
  (column) => `CREATE INDEX zone_orders_by_${column} ON zone_orders (tenant_id, ${column}, zone_id)`,
);
/** All that are there; the service sorts them after its start. */
const FILL_QUEUE = 'INSERT INTO zone_order_queue (zone_id) SELECT id FROM zones';
const enqueue = (row: string): string =>
  `INSERT INTO zone_order_queue (zone_id) VALUES (${row}.id) ON CONFLICT DO NOTHING`;
const VALUES = ['tenant_id', 'serial', 'record_count', 'changed_at'];
const valuesOf = (row: string): string => `(${VALUES.map((column) => `${row}.${column}`).join(', ')})`;
const AFTER_UPDATE = `AFTER UPDATE OF ${VALUES.join(', ')} ON zones FOR EACH ROW WHEN`;

const SQLITE = [
  ...[ORDERS, QUEUE].map((sql) => `${sql.replaceAll(' COLLATE "C"', '')} WITHOUT ROWID`),
  ...INDEXES,
  `CREATE TRIGGER zones_orders_insert AFTER INSERT ON zones BEGIN ${enqueue('NEW')}; END`,
  `CREATE TRIGGER zones_orders_update ${AFTER_UPDATE} ${valuesOf('OLD')} IS NOT ${valuesOf('NEW')} BEGIN ${enqueue('NEW')}; END`,
  `CREATE TRIGGER zones_orders_delete AFTER DELETE ON zones BEGIN ${enqueue('OLD')}; END`,
];

const functionSql = (name: string, row: string): string =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${enqueue(row)}; RETURN NULL; END $$`;
const POSTGRES = [
  ORDERS,
  QUEUE,
  ...INDEXES,
  functionSql('zone_orders_enqueue', 'NEW'),
  functionSql('zone_orders_enqueue_deleted', 'OLD'),
  'CREATE TRIGGER zones_orders_insert AFTER INSERT ON zones FOR EACH ROW EXECUTE FUNCTION zone_orders_enqueue()',
  `CREATE TRIGGER zones_orders_update ${AFTER_UPDATE} (${valuesOf('OLD')} IS DISTINCT FROM ${valuesOf('NEW')})` +
    ' EXECUTE FUNCTION zone_orders_enqueue()',
  'CREATE TRIGGER zones_orders_delete AFTER DELETE ON zones FOR EACH ROW EXECUTE FUNCTION zone_orders_enqueue_deleted()',
];

/** The orders of zones by serial, records and change (ADR 7). Triggers, because the release before writes zones too. */
export class ExpandZoneOrders1764520000000 implements MigrationInterface {
  readonly name = 'ExpandZoneOrders1764520000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of isPostgres(runner) ? POSTGRES : SQLITE) await runner.query(statement);
    await runner.query(FILL_QUEUE);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of ['insert', 'update', 'delete'])
      await runner.query(`DROP TRIGGER zones_orders_${event}${isPostgres(runner) ? ' ON zones' : ''}`);
    if (isPostgres(runner))
      for (const name of ['enqueue', 'enqueue_deleted']) await runner.query(`DROP FUNCTION zone_orders_${name}()`);
    for (const table of ['zone_order_queue', 'zone_orders']) await runner.query(`DROP TABLE ${table}`);
  }
}

function isPostgres({ dataSource }: QueryRunner): boolean {
  return dataSource.options.type === 'postgres';
}
