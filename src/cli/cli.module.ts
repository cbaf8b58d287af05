import { Module } from '@nestjs/common';
import { BackupCommand } from './backup.command.js';
import { CheckCommand } from './check.command.js';
import { MigrateCommand } from './migrate.command.js';
import { ServeCommand } from './serve.command.js';
import { TokenCommand, TokenCreateCommand, TokenListCommand, TokenRevokeCommand } from './token.command.js';
import { ZoneCheckCommand } from './zone-check.command.js';
import { ZoneExportCommand } from './zone-export.command.js';
import { ZoneImportCommand } from './zone-import.command.js';
import { ZoneCommand } from './zone.command.js';

@Module({
  providers: [
    ServeCommand,
    MigrateCommand,
    CheckCommand,
    BackupCommand,
    TokenCommand,
    TokenCreateCommand,
    TokenListCommand,
    TokenRevokeCommand,
    ZoneCommand,
    ZoneImportCommand,
    ZoneExportCommand,
    ZoneCheckCommand,
  ],
})
export class CliModule {}
