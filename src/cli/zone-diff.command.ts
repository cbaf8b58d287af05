import { MAX_SERIAL } from '../common/field-limits.js';
import { Spool } from '../database/spool.js';
import { ComparisonService } from '../history/comparison.service.js';
import type { RecordDifference } from '../history/record-differences.js';
import type { CommandContext } from '../plugins/command.js';
import { drawingForOutput } from './diff-drawing.js';
import { zoneNamed } from './named-zone.js';
import { parseNumber } from './numbers.js';
import { operatorFor } from './operator.js';
import { writeToStandardOutput } from './standard-output.js';

interface DiffRequest {
  readonly arguments: readonly string[];
  readonly options: { readonly from: string; readonly to: string | undefined };
}

/** Says by its exit code whether anything differs, as behaviour 11.2 has it. */
const DIFFERENT = 2;

export async function diffZone(
  context: CommandContext,
  { arguments: [name = ''], options }: DiffRequest,
): Promise<void> {
  const from = parseNumber('--from', options.from, 0, MAX_SERIAL);
  const to = options.to === undefined ? null : parseNumber('--to', options.to, 0, MAX_SERIAL);
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const second = to ?? zone.serial;
    const comparisons = services.get(ComparisonService);
    const differences = await comparisons.compare(zone.id, operatorFor('admin'), {
      from: { serial: from },
      to: { serial: second },
    });
    const titles = [`${zone.name} serial ${from}`, `${zone.name} serial ${second}`] as const;
    await writeToStandardOutput(await services.get(Spool).keep(draw(differences, titles)));
  });
}

async function* draw(
  differences: AsyncIterable<RecordDifference>,
  titles: readonly [string, string],
): AsyncGenerator<string> {
  const drawing = drawingForOutput();
  let header = drawing.header(...titles);
  for await (const difference of differences) {
    yield header + drawing.record(difference);
    header = '';
    process.exitCode = DIFFERENT;
  }
}
