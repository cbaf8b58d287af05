import { jest } from '@jest/globals';
import { Database, type Statement } from './sqlite.js';
import { lookInto } from './stored.js';

/** What SQLite was sent: the statement and its values as better-sqlite3 got them. */
interface Sent {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Statements with what SQLite says of how it runs each; those without a plan, like COMMIT, are left out. */
export type Plans = Readonly<Record<string, readonly string[]>>;

/** Watches every connection of this process; returns what makes plans of all that is sent while some work goes on. */
export function watchStatements(): (database: string, work: () => PromiseLike<unknown>) => Promise<Plans> {
  const spies = (['run', 'get', 'all', 'iterate'] as const).map((method) => jest.spyOn(statementPrototype(), method));
  return async (database, work) => {
    for (const spy of spies) spy.mockClear();
    await work();
    const sent = spies.flatMap(({ mock }) =>
      // What a method was called on is unknown to jest's types.
      mock.contexts.map((on, at): Sent => ({ sql: (on as Statement).source, values: mock.calls[at]! })),
    );
    return plansOf(database, sent);
  };
}

/** All statements have it, whatever their connection; better-sqlite3 does not export it. */
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
