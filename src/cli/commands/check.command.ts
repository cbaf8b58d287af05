import { dataSourceOptions } from '../../../ormconfig.js';
import { checkEngine } from '../../database/engine-check.js';
import { type CounterMismatch, CounterCheckService } from '../../records/maintenance/counter-check.js';
import { StoredRecordCheckService, type UnreadableRecordOfZone } from '../../records/maintenance/unreadable-records.js';
import { type UsageMismatch, UsageCheckService } from '../../feed/webhooks/queue/usage-check.service.js';
import { CatalogService } from '../../publishing/catalog/catalog.service.js';
import { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { operatorFor } from '../operator.js';
import type { ProgramContext } from '../program-context.js';

/** More changes than a zone has between two backups: twelve days of clock-based serials. */
const MARGIN = 1_000_000;
/** Half of the maximum step of RFC 1982 §3.1. The other half is for elapsed time. */
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
  const { mismatches, unreadable } = await context.withServices(async (services) => {
    console.log(verdict);
    if (raisesSerials) {
      const raised = await services.get(SerialRaisingService).raiseAll(margin, operatorFor('admin'));
      await services.get(CatalogService).raiseSerial(margin);
      console.log(`serials raised: ${raised}`);
    }
    return {
      mismatches:
        (await listed(services.get(CounterCheckService).check(isRepairing), describe)) +
        (await listed(services.get(UsageCheckService).check(isRepairing), describe)),
      unreadable: await listed(services.get(StoredRecordCheckService).check(), describeUnreadable),
    };
  });
  if (mismatches === 0) console.log('all counters agree with what they count');
  else if (isRepairing) console.log(`repaired ${mismatches}`);
  else throw new Error(`${mismatches} wrong; zonewright check --fix repairs them`);
  if (unreadable > 0) throw new Error(`${unreadable} records cannot be rendered; replace or delete them`);
}

/** Prints each finding immediately. Returns their number. */
async function listed<Found>(all: AsyncIterable<Found>, lineOf: (found: Found) => string): Promise<number> {
  let count = 0;
  for await (const found of all) {
    console.log(lineOf(found));
    count += 1;
  }
  return count;
}

const MOST_DAMAGES = 100;

/** Runs first: counts in a damaged database may look right, and a repair may damage more. */
async function assertSound({ composition }: ProgramContext): Promise<string> {
  const { reader } = await dataSourceOptions(composition.config.database.url, await composition.schema());
  // Opening an in-memory database fails with its own error.
  if (reader === null) return '';
  const { damages, verdict } = await checkEngine(reader);
  for (const damage of damages.slice(0, MOST_DAMAGES)) console.log(damage);
  if (damages.length > 0) throw new Error('the database is damaged: put back a backup; see docs/operating/backup.md');
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
