import { DataSource, type DataSourceOptions } from 'typeorm';
import { DatabaseOpenError, reasonOf } from '../database-failure.js';
import { withoutTimeouts } from './postgres-session.js';

/** An older amcheck has fewer functions, and the user may lack the right to call them. */
const AMCHECK = `
  SELECT quote_ident(n.nspname) AS "schema",
    has_function_privilege(to_regprocedure(format('%I.bt_index_check(regclass, boolean)', n.nspname)), 'EXECUTE')
    AND has_function_privilege(to_regprocedure(format(
      '%I.verify_heapam(regclass, boolean, boolean, text, bigint, bigint)', n.nspname)), 'EXECUTE') AS "isAllowed"
  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
  WHERE e.extname = 'amcheck'`;

/** The database may hold other tables. */
const RELATIONS = `
  SELECT c.oid::bigint AS "id", c.relname AS "name", c.relkind AS "kind"
  FROM pg_class c JOIN pg_am a ON a.oid = c.relam LEFT JOIN pg_index i ON i.indexrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relpersistence = 'p'
    AND (a.amname = 'heap' AND c.relkind = 'r' OR a.amname = 'btree' AND i.indisready AND i.indisvalid)
  ORDER BY c.relkind DESC, c.relname`;

interface Relation {
  readonly id: number;
  readonly name: string;
  readonly kind: 'r' | 'i';
}

/** Uses the extension amcheck, which a superuser must install and grant. */
export async function checkPostgres(options: DataSourceOptions & { readonly type: 'postgres' }): Promise<EngineCheck> {
  const source = await open(options);
  try {
    const [amcheck] = await source.query<{ schema: string; isAllowed: boolean | null }[]>(AMCHECK);
    if (amcheck === undefined) return leftOut('the extension amcheck is not in this database');
    if (amcheck.isAllowed !== true) return leftOut('this user may not execute the functions of amcheck');
    const damages: string[] = [];
    for (const relation of await source.query<Relation[]>(RELATIONS))
      damages.push(...(await checkRelation(source, amcheck.schema, relation)));
    return { damages, verdict: 'PostgreSQL finds the tables and indexes sound' };
  } finally {
    await source.destroy();
  }
}

function leftOut(reason: string): EngineCheck {
  return { damages: [], verdict: `not checked by PostgreSQL itself, since ${reason}; see docs/operating.md` };
}

async function checkRelation(source: DataSource, schema: string, { id, name, kind }: Relation): Promise<string[]> {
  try {
    if (kind === 'i') {
      await source.query(`SELECT ${schema}.bt_index_check($1::bigint::oid::regclass, true)`, [id]);
      return [];
    }
    const table = `SELECT msg AS "what" FROM ${schema}.verify_heapam($1::bigint::oid::regclass) LIMIT 100`;
    const found = await source.query<{ what: string }[]>(table, [id]);
    return found.map(({ what }) => `table ${name}: ${what}`);
  } catch (error) {
    return [`${kind === 'i' ? 'index' : 'table'} ${name}: ${reasonOf(error)}`];
  }
}

async function open(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(withoutTimeouts(options)).initialize();
  } catch (error) {
    throw new DatabaseOpenError(`cannot open the database: ${reasonOf(error)}`);
  }
}

export interface EngineCheck {
  readonly damages: readonly string[];
  /** The sound parts, or why nothing was checked. */
  readonly verdict: string;
}
