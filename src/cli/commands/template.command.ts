import type { CommandContext } from '../../plugins/command.js';
import { TemplateApplication } from '../../templates/template-application.js';
import { FOR_ALL, lineOf, recordsIn } from '../../templates/template.entity.js';
import { TemplatesService } from '../../templates/templates.service.js';
import type { CommandRequest } from '../arguments.js';
import { drawingForOutput, withoutControls } from '../diff-drawing.js';
import { operatorFor, zoneNamed } from '../operator.js';

interface OfTenant {
  readonly tenant: string | undefined;
}

/** Behaviour 17.15. */
export async function listTemplates(context: CommandContext, { tenant }: OfTenant): Promise<void> {
  await context.withServices(async (services) => {
    for (let [after, isLast] = ['', false]; !isLast;) {
      const page = await services.get(TemplatesService).page(operatorFor(tenant ?? FOR_ALL), after);
      for (const { id, name, tenantId, description } of page.entries) {
        const columns = [name, tenantId === FOR_ALL ? '*' : tenantId, description ?? ''];
        console.log(columns.map(withoutControls).join('\t'));
        after = id;
      }
      ({ isLast } = page);
    }
  });
}

export async function showTemplate(
  context: CommandContext,
  { arguments: [name = ''], options: { tenant } }: CommandRequest<OfTenant>,
): Promise<void> {
  await context.withServices(async (services) => {
    const template = await services.get(TemplatesService).named(name, tenant ?? FOR_ALL);
    if (template === null)
      throw new Error(`there is no template ${name}${tenant === undefined ? ' for all tenants' : ''}`);
    for (const { name: owner, ttl = '', type, data, priority = null } of recordsIn(template))
      console.log(
        withoutControls([owner, ttl, lineOf({ type, data, priority })].filter((part) => part !== '').join(' ')),
      );
  });
}

interface ApplyOptions {
  readonly isDryRun: boolean;
  readonly replaces: boolean;
}

export async function applyTemplate(
  context: CommandContext,
  { arguments: [zoneName = '', name = ''], options: { isDryRun, replaces } }: CommandRequest<ApplyOptions>,
): Promise<void> {
  await context.withServices(async (services) => {
    const zone = await zoneNamed(services, zoneName);
    const prepared = await services
      .get(TemplateApplication)
      .prepare(zone.id, name, operatorFor(zone.tenantId), replaces);
    const { operations, serial } = await prepared.apply({ isDryRun });
    const drawing = drawingForOutput();
    for (const done of operations) {
      if (!('record' in done)) continue;
      const [before, after] = done.action === 'delete' ? [done.record, null] : [null, done.record];
      process.stdout.write(drawing.record({ before, after }));
    }
    for (const { wanted, existing } of prepared.conflicts)
      console.error(
        withoutControls(
          `${wanted[0]?.name} ${wanted[0]?.type}: ${replaces ? 'replaced' : 'kept'} ${existing.map(lineOf).join(', ')}`,
        ),
      );
    if (!isDryRun) console.error(operations.length === 0 ? 'no changes' : `serial ${serial}`);
  });
}
