import { SubCommand } from 'nest-commander';
import { type ZoneFinding, ZoneCheckService } from '../zone-files/zone-check.service.js';
import { CommonCommand } from './common-command.js';
import { zoneNamed } from './named-zone.js';
import { operatorFor } from './operator.js';
import { type CommonOptions, withApplication } from './with-application.js';

@SubCommand({
  name: 'check',
  arguments: '<name>',
  description: 'look at a zone as name servers do; 1 when they refuse it',
})
export class ZoneCheckCommand extends CommonCommand {
  override async run([name = '']: string[], options: CommonOptions): Promise<void> {
    const findings = await withApplication(options, async (context) => {
      const { id } = await zoneNamed(context, name);
      return context.get(ZoneCheckService, { strict: false }).check(id, operatorFor('admin'));
    });
    for (const finding of findings) console.log(describe(finding));
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    if (errors > 0) throw new Error(`name servers refuse ${name}: ${errors} error${errors === 1 ? '' : 's'}`);
    if (findings.length === 0) console.log(`${name} is as it should be`);
  }
}

function describe({ severity, name, type, message }: ZoneFinding): string {
  return `${severity}: ${name} ${type}: ${message}`;
}
