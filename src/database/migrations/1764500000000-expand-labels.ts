import type { MigrationInterface, QueryRunner } from 'typeorm';

type Statements = (bytewise: string) => readonly string[];

const TABLES: Statements = (bytewise) => [
  'ALTER TABLE zones ADD COLUMN labels text',
  'ALTER TABLE record_sets ADD COLUMN labels text',
  'ALTER TABLE webhooks ADD COLUMN labels text',
  `CREATE TABLE zone_labels (tenant_id varchar(255)${bytewise} NOT NULL, key varchar(63)${bytewise} NOT NULL,` +
    ` value varchar(63)${bytewise} NOT NULL, zone_id varchar(36)${bytewise} NOT NULL,` +
    ' PRIMARY KEY (tenant_id, key, value, zone_id))',
  `CREATE TABLE record_set_labels (zone_id varchar(36)${bytewise} NOT NULL, key varchar(63)${bytewise} NOT NULL,` +
    ` value varchar(63)${bytewise} NOT NULL, record_set_id varchar(36)${bytewise} NOT NULL,` +
    ' PRIMARY KEY (zone_id, record_set_id, key))',
];
const INDEXES = [
  'CREATE INDEX zone_labels_by_key ON zone_labels (tenant_id, key, zone_id)',
  'CREATE INDEX zone_labels_of_all ON zone_labels (key, value, zone_id)',
  'CREATE INDEX record_set_labels_by_value ON record_set_labels (zone_id, key, value, record_set_id)',
];

const insertZone = (pairs: string): string =>
  `INSERT INTO zone_labels (tenant_id, key, value, zone_id) SELECT NEW.tenant_id, l.key, l.value, NEW.id FROM ${pairs} l`;
const deleteZone = (keys: string): string =>
  `DELETE FROM zone_labels WHERE tenant_id = OLD.tenant_id AND zone_id = OLD.id AND (key, value) IN (${keys})`;
const insertSet = (pairs: string): string =>
  'INSERT INTO record_set_labels (zone_id, key, value, record_set_id)' +
  ` SELECT NEW.zone_id, l.key, l.value, NEW.id FROM ${pairs} l`;
const deleteSet = (): string => `DELETE FROM record_set_labels WHERE zone_id = OLD.zone_id AND record_set_id = OLD.id`;

export interface LabelTriggers {
  readonly table: 'zones' | 'record_sets';
  readonly columns: readonly string[];
  readonly remove: (keys: string) => string;
  readonly insert: (pairs: string) => string;
}

export const ZONE_TRIGGERS: LabelTriggers = {
  table: 'zones',
  columns: ['tenant_id', 'labels'],
  remove: deleteZone,
  insert: insertZone,
};
const TRIGGERS: readonly LabelTriggers[] = [
  ZONE_TRIGGERS,
  { table: 'record_sets', columns: ['labels'], remove: deleteSet, insert: insertSet },
];

/** The conditions keep rows without labels as fast as before. */
function sqliteTriggers({ table, columns, remove, insert }: LabelTriggers): string[] {
  const removal = remove('SELECT l.key, l.value FROM json_each(OLD.labels) l');
  const insertion = insert('json_each(NEW.labels)');
  const changed = `(${columns.map((one) => `OLD.${one}`).join(', ')}) IS NOT (${columns.map((one) => `NEW.${one}`).join(', ')})`;
  const on = (when: string, labels: string, statements: string): string =>
    `${when} ON ${table} FOR EACH ROW WHEN ${labels} BEGIN ${statements}; END`;
  return [
    `CREATE TRIGGER ${table}_labels_insert ${on('AFTER INSERT', 'NEW.labels IS NOT NULL', insertion)}`,
    `CREATE TRIGGER ${table}_labels_update ${on(`AFTER UPDATE OF ${columns.join(', ')}`, `${changed} AND COALESCE(OLD.labels, NEW.labels) IS NOT NULL`, `${removal}; ${insertion}`)}`,
    `CREATE TRIGGER ${table}_labels_delete ${on('AFTER DELETE', 'OLD.labels IS NOT NULL', removal)}`,
  ];
}

function postgresTriggers({ table, columns, remove, insert }: LabelTriggers): string[] {
  const removal = remove('SELECT l.key, l.value FROM json_each_text(OLD.labels::json) l');
  const insertion = insert('json_each_text(NEW.labels::json)');
  const create = (when: string, statements: string): string[] => {
    const name = `${table}_labels_${when}`;
    const body = `BEGIN ${statements}; RETURN NULL; END`;
    return [`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ ${body} $$`];
  };
  const rows = (of: string): string => columns.map((column) => `${of}.${column}`).join(', ');
  const on = (event: string, when: string, condition: string): string =>
    `CREATE TRIGGER ${table}_labels_${when} AFTER ${event} ON ${table} FOR EACH ROW WHEN (${condition})` +
    ` EXECUTE FUNCTION ${table}_labels_${when}()`;
  return [
    ...create('insert', insertion),
    ...create('update', `${removal}; ${insertion}`),
    ...create('delete', removal),
    on('INSERT', 'insert', 'NEW.labels IS NOT NULL'),
    on(
      `UPDATE OF ${columns.join(', ')}`,
      'update',
      `(${rows('OLD')}) IS DISTINCT FROM (${rows('NEW')}) AND COALESCE(OLD.labels, NEW.labels) IS NOT NULL`,
    ),
    on('DELETE', 'delete', 'OLD.labels IS NOT NULL'),
  ];
}

/** Labels and their indexes. Triggers, because the release before writes and deletes zones and record sets too. */
export class ExpandLabels1764500000000 implements MigrationInterface {
  readonly name = 'ExpandLabels1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    const isOnPostgres = isPostgres(runner);
    const end = isOnPostgres ? '' : ' WITHOUT ROWID';
    for (const statement of TABLES(isOnPostgres ? ' COLLATE "C"' : ''))
      await runner.query(statement.startsWith('CREATE') ? statement + end : statement);
    for (const statement of INDEXES) await runner.query(statement);
    for (const triggers of TRIGGERS) await createTriggers(runner, triggers);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const triggers of TRIGGERS) await dropTriggers(runner, triggers);
    for (const table of ['zone_labels', 'record_set_labels']) await runner.query(`DROP TABLE ${table}`);
    for (const table of ['zones', 'record_sets', 'webhooks'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN labels`);
  }
}

export async function createTriggers(runner: QueryRunner, triggers: LabelTriggers): Promise<void> {
  for (const statement of isPostgres(runner) ? postgresTriggers(triggers) : sqliteTriggers(triggers))
    await runner.query(statement);
}

export async function dropTriggers(runner: QueryRunner, { table }: LabelTriggers): Promise<void> {
  for (const when of ['insert', 'update', 'delete']) {
    await runner.query(`DROP TRIGGER ${table}_labels_${when}${isPostgres(runner) ? ` ON ${table}` : ''}`);
    if (isPostgres(runner)) await runner.query(`DROP FUNCTION ${table}_labels_${when}()`);
  }
}

export function isPostgres({ dataSource }: QueryRunner): boolean {
  return dataSource.options.type === 'postgres';
}
