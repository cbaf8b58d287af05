/**
 * The command line of a release after this one, which has a feature more and its migrations. With RELEASE=third it is the one
 * after that, which cannot do without the contraction any more.
 */
import { BUILT_IN_PLUGINS } from '../../dist/src/app/composition/built-in-plugins.js';
import { runCommandLine } from '../../dist/src/cli/program.js';
import { feature } from '../../dist/src/plugins/feature.js';

const TABLES = ['zones', 'record_sets', 'records', 'journal', 'zone_shares', 'tenant_usage'];

/** A column that a later release adds to tables that this release writes. */
class ExpandTablesByWeight1999000000001 {
  async up(runner) {
    for (const table of TABLES) {
      if (!(await runner.hasTable(table))) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN later_weight integer NOT NULL DEFAULT 7`);
      await runner.query(`ALTER TABLE ${table} ADD COLUMN later_note text`);
    }
    await runner.query('CREATE TABLE later_things (id integer PRIMARY KEY)');
  }
}

/** On PostgreSQL it runs in several transactions, without blocking writers. */
class ExpandRecordsByWeights1999000000002 {
  transaction = false;

  async up(runner) {
    const isPostgres = runner.dataSource.options.type === 'postgres';
    const how = isPostgres ? 'CONCURRENTLY' : '';
    await runner.query(`DROP INDEX ${how} IF EXISTS records_later_weights`);
    await runner.query(`CREATE INDEX ${how} records_later_weights ON records (later_weight, id)`);
  }
}

class ContractLaterThings1999000000003 {
  async up(runner) {
    await runner.query('DROP TABLE later_things');
  }
}

const expansions = [ExpandTablesByWeight1999000000001, ExpandRecordsByWeights1999000000002];
const contractions = [ContractLaterThings1999000000003];
const isThird = process.env.RELEASE === 'third';

BUILT_IN_PLUGINS.push(
  feature({
    name: 'later',
    schema: async () => ({
      entities: [],
      migrations: isThird ? [...expansions, ...contractions] : expansions,
      contractions: isThird ? [] : contractions,
    }),
  }),
);
await runCommandLine();
