import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createTriggers,
  dropTriggers,
  isPostgres,
  type LabelTriggers,
  ZONE_TRIGGERS,
} from './1764500000000-expand-labels.js';

const INDEXES = {
  zone_labels_by_key_and_name: '(tenant_id, key, name_key, zone_id)',
  zone_labels_by_value_and_name: '(tenant_id, key, value, name_key, zone_id)',
};
const NAMED_TRIGGERS: LabelTriggers = {
  ...ZONE_TRIGGERS,
  insert: (pairs) =>
    'INSERT INTO zone_labels (tenant_id, key, value, zone_id, name_key)' +
    ` SELECT NEW.tenant_id, l.key, l.value, NEW.id, NEW.name_key FROM ${pairs} l`,
};

/** Lists of zones with a label, in the order of their names. */
export class ExpandLabelsByName1764560000000 implements MigrationInterface {
  readonly name = 'ExpandLabelsByName1764560000000';

  async up(runner: QueryRunner): Promise<void> {
    const bytewise = isPostgres(runner) ? ' COLLATE "C"' : '';
    await runner.query(`ALTER TABLE zone_labels ADD COLUMN name_key varchar(255)${bytewise} NOT NULL DEFAULT ''`);
    await runner.query(
      'UPDATE zone_labels SET name_key = (SELECT zones.name_key FROM zones WHERE zones.id = zone_labels.zone_id)',
    );
    for (const [name, columns] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX ${name} ON zone_labels ${columns}`);
    await dropTriggers(runner, ZONE_TRIGGERS);
    await createTriggers(runner, NAMED_TRIGGERS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropTriggers(runner, NAMED_TRIGGERS);
    await createTriggers(runner, ZONE_TRIGGERS);
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
    await runner.query('ALTER TABLE zone_labels DROP COLUMN name_key');
  }
}
