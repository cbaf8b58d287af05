import { Command, Option } from 'nest-commander';
import type { CounterMismatch } from '../records/counter-check.repository.js';
import { CounterCheckService } from '../records/counter-check.service.js';
import { CommonCommand } from './common-command.js';
import { type CommonOptions, withApplication } from './with-application.js';

interface CheckOptions extends CommonOptions {
  readonly fix?: boolean;
}

@Command({ name: 'check', description: 'compare all counters with what they count; exit code 1 when one is wrong' })
export class CheckCommand extends CommonCommand {
  override async run(_: string[], options: CheckOptions): Promise<void> {
    const isRepairing = options.fix === true;
    const mismatches = await withApplication(options, (context) =>
      context.get(CounterCheckService, { strict: false }).check(isRepairing),
    );
    for (const mismatch of mismatches) console.log(describe(mismatch));
    if (mismatches.length === 0) console.log('all counters agree with what they count');
    else if (isRepairing) console.log(`repaired ${mismatches.length}`);
    else throw new Error(`${mismatches.length} wrong; zonewright check --fix sets them right`);
  }

  @Option({ flags: '--fix', description: 'set wrong counters to what counting says' })
  parseFix(): boolean {
    return true;
  }
}

function describe({ counter, place, stored, counted }: CounterMismatch): string {
  return `${counter} ${JSON.stringify(place)}: stored ${String(stored)}, counted ${String(counted)}`;
}
