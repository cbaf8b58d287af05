import { Command, Option } from 'nest-commander';
import { SerialRaisingService } from '../zones/serial-raising.service.js';
import type { CounterMismatch } from '../records/counter-check.repository.js';
import { CounterCheckService } from '../records/counter-check.service.js';
import { CommonCommand } from './common-command.js';
import { operatorFor } from './operator.js';
import { type CommonOptions, withApplication } from './with-application.js';

/** More changes than a zone sees between two backups, and twelve days of the clock that serials follow. */
const MARGIN = 1_000_000;
/** Half of what RFC 1982 §3.1 lets a serial advance at once: the other half is for the time that has passed. */
const MAX_MARGIN = 2 ** 30;

interface CheckOptions extends CommonOptions {
  readonly fix?: boolean;
  readonly raiseSerials?: boolean;
  readonly by?: number;
}

@Command({ name: 'check', description: 'compare all counters with what they count; exit code 1 when one is wrong' })
export class CheckCommand extends CommonCommand {
  override async run(_: string[], options: CheckOptions): Promise<void> {
    const { fix: isRepairing = false, raiseSerials = false, by: margin } = options;
    if (margin !== undefined && !raiseSerials) throw new Error('--by goes with --raise-serials');
    const { raised, mismatches } = await withApplication(options, async (context) => {
      const serials = context.get(SerialRaisingService, { strict: false });
      return {
        raised: raiseSerials ? await serials.raiseAll(margin ?? MARGIN, operatorFor('admin')) : null,
        mismatches: await context.get(CounterCheckService, { strict: false }).check(isRepairing),
      };
    });
    if (raised !== null) console.log(`serials raised: ${raised}`);
    for (const mismatch of mismatches) console.log(describe(mismatch));
    if (mismatches.length === 0) console.log('all counters agree with what they count');
    else if (isRepairing) console.log(`repaired ${mismatches.length}`);
    else throw new Error(`${mismatches.length} wrong; zonewright check --fix sets them right`);
  }

  @Option({ flags: '--fix', description: 'set wrong counters to what counting says' })
  parseFix(): boolean {
    return true;
  }

  @Option({
    flags: '--raise-serials',
    description: 'after an older database was restored: raise all serials above what was handed out',
  })
  parseRaiseSerials(): boolean {
    return true;
  }

  @Option({ flags: '--by <number>', description: `how far above the time (default: ${MARGIN})` })
  parseBy(text: string): number {
    const margin = /^\d{1,10}$/.test(text) ? Number(text) : 0;
    if (margin < 1 || margin > MAX_MARGIN) throw new Error(`--by: a number from 1 to ${MAX_MARGIN}`);
    return margin;
  }
}

function describe({ counter, place, stored, counted }: CounterMismatch): string {
  return `${counter} ${JSON.stringify(place)}: stored ${String(stored)}, counted ${String(counted)}`;
}
