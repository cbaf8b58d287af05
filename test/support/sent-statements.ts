import { jest } from '@jest/globals';
import { Database, type Statement } from './sqlite.js';
import { lookInto } from './stored.js';

/** A statement with its values, as sent to better-sqlite3. */
interface Sent {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Statements with their SQLite query plans; statements without a plan, like COMMIT, are omitted. */
export type Plans = Readonly<Record<string, readonly string[]>>;

/** Watches all connections of this process. Returns a function that explains the statements sent during some work. */
export function watchStatements(): (database: string, work: () => PromiseLike<unknown>) => Promise<Plans> {
  const spies = (['run', 'get', 'all', 'iterate'] as const).map((method) => jest.spyOn(statementPrototype(), method));
  return async (database, work) => {
    for (const spy of spies) spy.mockClear();
    await work();
    const sent = spies.flatMap(({ mock }) =>
      // The jest types do not know the object of a method call.
      mock.contexts.map((on, at): Sent => ({ sql: (on as Statement).source, values: mock.calls[at]! })),
    );
    return plansOf(database, sent);
  };
}

/** The prototype of all statements on all connections; better-sqlite3 does not export it. */
function statementPrototype(): Statement {
  const database = new Database(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1')) as Statement;
  database.close();
  return prototype;
}

function plansOf(database: string, sent: readonly Sent[]): Plans {
  return lookInto(database, ({ rows }) => {
    const plans = sent.map(({ sql, values }) => {
      const steps = rows<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
      return [sql, steps.map(({ detail }) => detail)] as const;
    });
    return Object.fromEntries(plans.filter(([, steps]) => steps.length > 0));
  });
}
