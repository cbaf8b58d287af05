import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Lookup } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';

const ID = 'all';
/** Read in one round trip with all else that a change reads. */
const STATE = new Lookup<{ readonly state: string }>('SELECT state FROM zone_name_rules WHERE id = ?', ['text']);
const NOTE_CHANGE = new Statement(
  'INSERT INTO zone_name_rules (id, state) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state',
);
const TLD_KEYS = new Statement<{ readonly nameKey: string }>('SELECT name_key AS "nameKey" FROM tlds');
const PATTERNS = new Statement<{ readonly pattern: string }>('SELECT pattern FROM blacklists ORDER BY id');

/** TLDs and blacklists as those read them who judge names. */
@Injectable()
export class ZoneNameRulesRepository {
  /** Another text after each change; `null` before the first. */
  async stateOf(tx: Transaction): Promise<string | null> {
    const [found] = await STATE.rows(tx, [], [[ID]]);
    return found?.state ?? null;
  }

  async recordChange(tx: Transaction): Promise<void> {
    await NOTE_CHANGE.run(tx, [ID, randomUUID()]);
  }

  async tldKeys(tx: Transaction): Promise<string[]> {
    return (await TLD_KEYS.rows(tx, [])).map(({ nameKey }) => nameKey);
  }

  async patterns(tx: Transaction): Promise<string[]> {
    return (await PATTERNS.rows(tx, [])).map(({ pattern }) => pattern);
  }
}
