import { dataSourceOptions } from '../../../ormconfig.js';
import { checkEngine } from '../../database/engine-check.js';
import type { CounterMismatch } from '../../records/upkeep/counter-check.repository.js';
import { CounterCheckService } from '../../records/upkeep/counter-check.service.js';
import {
  StoredRecordCheckService,
  type UnreadableRecordOfZone,
} from '../../records/upkeep/stored-record-check.service.js';
import { type UsageMismatch, UsageCheckService } from '../../feed/webhooks/queue/usage-check.service.js';
import { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { operatorFor } from '../operator.js';
import type { ProgramContext } from '../program-context.js';

/** More changes than a zone sees between two backups, and twelve days of the clock that serials follow. */
const MARGIN = 1_000_000;
/** Half of what RFC 1982 §3.1 lets a serial advance at once: the other half is for the time that has passed. */
const MAX_MARGIN = 2 ** 30;

interface CheckOptions {
  readonly isRepairing: boolean;
  readonly raisesSerials: boolean;
  readonly margin: string | undefined;
}

export async function check(context: ProgramContext, options: CheckOptions): Promise<void> {
  const { isRepairing, raisesSerials } = options;
  const margin = options.margin === undefined ? MARGIN : parseMargin(options.margin);
  if (options.margin !== undefined && !raisesSerials) throw new Error('--by goes with --raise-serials');
  const verdict = await assertSound(context);
  const { raised, mismatches, unreadable } = await context.withServices(async (services) => {
    const serials = services.get(SerialRaisingService);
    return {
      raised: raisesSerials ? await serials.raiseAll(margin, operatorFor('admin')) : null,
      mismatches: [
        ...(await services.get(CounterCheckService).check(isRepairing)),
        ...(await services.get(UsageCheckService).check(isRepairing)),
      ],
      unreadable: await services.get(StoredRecordCheckService).check(),
    };
  });
  console.log(verdict);
  if (raised !== null) console.log(`serials raised: ${raised}`);
  for (const mismatch of mismatches) console.log(describe(mismatch));
  for (const record of unreadable) console.log(describeUnreadable(record));
  if (mismatches.length === 0) console.log('all counters agree with what they count');
  else if (isRepairing) console.log(`repaired ${mismatches.length}`);
  else throw new Error(`${mismatches.length} wrong; zonewright check --fix repairs them`);
  if (unreadable.length > 0) throw new Error(`${unreadable.length} records cannot be rendered; replace or delete them`);
}

const MOST_DAMAGES = 100;

/** Before anything else: counting what is damaged may find it in order, and repairing may damage more. */
async function assertSound({ composition }: ProgramContext): Promise<string> {
  const { reader } = await dataSourceOptions(composition.config.database.url, await composition.schema());
  // Opening it says that no command can look into it.
  if (reader === null) return '';
  const { damages, verdict } = await checkEngine(reader);
  for (const damage of damages.slice(0, MOST_DAMAGES)) console.log(damage);
  if (damages.length > 0) throw new Error('the database is damaged: put back a backup; see docs/operating.md');
  return verdict;
}

function parseMargin(text: string): number {
  const margin = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (margin < 1 || margin > MAX_MARGIN) throw new Error(`--by: a number from 1 to ${MAX_MARGIN}`);
  return margin;
}

function describe({ counter, key, stored, counted }: CounterMismatch | UsageMismatch): string {
  return `${counter} ${JSON.stringify(key)}: stored ${String(stored)}, counted ${String(counted)}`;
}

function describeUnreadable({ id, zoneId, owner, type, reason }: UnreadableRecordOfZone): string {
  return `record ${id} of zone ${zoneId} (${owner} ${type}) cannot be rendered: ${reason}`;
}
