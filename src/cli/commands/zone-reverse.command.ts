import type { CommandContext } from '../../plugins/command.js';
import { ReverseBuilding } from '../../records/reverse/reverse-building.js';
import type { CommandRequest } from '../arguments.js';
import { operatorFor, zoneNamed } from '../operator.js';

/** Behaviour 26.7. */
export async function buildReverse(
  context: CommandContext,
  { arguments: [name = ''], options: { isDryRun } }: CommandRequest<{ readonly isDryRun: boolean }>,
): Promise<void> {
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, name);
    const building = services.get(ReverseBuilding);
    let [created, kept] = [0, 0];
    for (let after: string | null = ''; after !== null;) {
      const { steps, next } = await building.build(zone.id, operatorFor(zone.tenantId), after, isDryRun);
      for (const { name: owner, after: target, problem } of steps) {
        if (problem === null) created += 1;
        else kept += 1;
        console.log(problem === null ? `+ ${owner} PTR ${target ?? ''}` : `! ${owner}: ${problem}`);
      }
      after = next;
    }
    console.log(`${isDryRun ? 'to create' : 'created'}: ${created}, left as they are: ${kept}`);
  });
}
