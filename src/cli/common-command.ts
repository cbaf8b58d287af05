import { CommandRunner, Option } from 'nest-commander';

/** A command with the options that all commands have. */
export abstract class CommonCommand extends CommandRunner {
  @Option({
    flags: '--config-file <path>',
    description: 'the configuration (default: ZONEWRIGHT_CONFIG, zonewright.conf)',
  })
  parseConfigFile(path: string): string {
    return path;
  }
}
