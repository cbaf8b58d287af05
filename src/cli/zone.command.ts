import { Command, CommandRunner } from 'nest-commander';
import { ZoneCheckCommand } from './zone-check.command.js';
import { ZoneExportCommand } from './zone-export.command.js';
import { ZoneImportCommand } from './zone-import.command.js';

@Command({
  name: 'zone',
  description: 'zone files in and out, and zones checked',
  subCommands: [ZoneImportCommand, ZoneExportCommand, ZoneCheckCommand],
})
export class ZoneCommand extends CommandRunner {
  override run(): Promise<void> {
    this.command.help();
  }
}
