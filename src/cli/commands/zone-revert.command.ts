import { MAX_SERIAL } from '../../common/field-limits.js';
import { RevertService } from '../../history/revert.service.js';
import type { CommandContext } from '../../plugins/command.js';
import { zoneNamed } from '../named-zone.js';
import { parseNumber } from '../numbers.js';
import { operatorFor } from '../operator.js';

interface RevertRequest {
  readonly arguments: readonly string[];
  readonly options: { readonly serial: string; readonly dryRun: boolean };
}

const ACTIONS = ['create', 'update', 'delete'] as const;

export async function revertZone(
  context: CommandContext,
  { arguments: [name = ''], options: { serial: text, dryRun } }: RevertRequest,
): Promise<void> {
  const serial = parseNumber('--serial', text, 0, MAX_SERIAL);
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const done = await services.get(RevertService).revert(
      zone.id,
      operatorFor('admin'),
      { serial },
      {
        isDryRun: dryRun,
        hook: null,
      },
    );
    const count = (wanted: string): number => done.operations.filter(({ action }) => action === wanted).length;
    const counts = ACTIONS.map((action) => `${count(action)} ${action}d`).join(', ');
    console.log(`${dryRun ? 'would be reverted' : 'reverted'}: ${zone.name}: ${counts}; serial ${done.serial}`);
  });
}
