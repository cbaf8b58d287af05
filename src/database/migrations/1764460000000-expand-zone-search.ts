import type { MigrationInterface, QueryRunner } from 'typeorm';

const QUEUE = `CREATE TABLE zone_search_queue (zone_id varchar(36) COLLATE "C" NOT NULL, PRIMARY KEY (zone_id))`;
/** All that are there; the service indexes them after its start. */
const FILL_QUEUE = 'INSERT INTO zone_search_queue (zone_id) SELECT id FROM zones';
const ENQUEUE = 'INSERT INTO zone_search_queue (zone_id) VALUES (NEW.id) ON CONFLICT DO NOTHING';
const AFTER_UPDATE = 'AFTER UPDATE OF name, email, description ON zones FOR EACH ROW WHEN';

const SQLITE = [
  `${QUEUE.replace(' COLLATE "C"', '')} WITHOUT ROWID`,
  'CREATE TABLE zone_search_blocks (block integer PRIMARY KEY, zones text NOT NULL)',
  "CREATE VIRTUAL TABLE zone_search_text USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='trigram')",
  `CREATE TRIGGER zones_search_insert AFTER INSERT ON zones BEGIN ${ENQUEUE}; END`,
  `CREATE TRIGGER zones_search_update ${AFTER_UPDATE} (OLD.name, OLD.email, OLD.description) IS NOT` +
    ` (NEW.name, NEW.email, NEW.description) BEGIN ${ENQUEUE}; END`,
];

const POSTGRES = [
  QUEUE,
  'CREATE TABLE zone_search_blocks (block bigint PRIMARY KEY, zones text NOT NULL, text text COLLATE "C" NOT NULL)',
  `CREATE FUNCTION zone_search_enqueue() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${ENQUEUE}; RETURN NULL; END $$`,
  'CREATE TRIGGER zones_search_insert AFTER INSERT ON zones FOR EACH ROW EXECUTE FUNCTION zone_search_enqueue()',
  `CREATE TRIGGER zones_search_update ${AFTER_UPDATE} ((OLD.name, OLD.email, OLD.description) IS DISTINCT FROM` +
    ' (NEW.name, NEW.email, NEW.description)) EXECUTE FUNCTION zone_search_enqueue()',
];

/** The text index of zones (ADR 7). Triggers, because the release before writes zones too. */
export class ExpandZoneSearch1764460000000 implements MigrationInterface {
  readonly name = 'ExpandZoneSearch1764460000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of isPostgres(runner) ? POSTGRES : SQLITE) await runner.query(statement);
    await runner.query(FILL_QUEUE);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['zones_search_insert', 'zones_search_update'])
      await runner.query(`DROP TRIGGER ${trigger}${isPostgres(runner) ? ' ON zones' : ''}`);
    await runner.query(isPostgres(runner) ? 'DROP FUNCTION zone_search_enqueue()' : 'DROP TABLE zone_search_text');
    for (const table of ['zone_search_queue', 'zone_search_blocks']) await runner.query(`DROP TABLE ${table}`);
  }
}

function isPostgres({ dataSource }: QueryRunner): boolean {
  return dataSource.options.type === 'postgres';
}
