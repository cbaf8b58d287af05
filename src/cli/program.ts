import { Command as Program, Option } from 'commander';
import { packageVersion } from '../app/package-version.js';
import type { Command, CommandAction, CommandOption, CommandOptions, Given } from '../plugins/command.js';
import { COMMANDS } from './commands.js';
import { contextOf } from './program-context.js';

/**
 * Runs the command line that `args` name. What goes wrong is one line on standard error and exit code 1.
 * @param args without the program itself
 */
export async function runCommandLine(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  try {
    await programOf(COMMANDS).parseAsync(args, { from: 'user' });
  } catch (error) {
    console.error(`zonewright: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

function programOf(commands: readonly Command[]): Program {
  const program = new Program('zonewright').version(packageVersion());
  for (const command of commands) add(program, command);
  return program;
}

function add(program: Program, command: Command): void {
  const added = program.command(command.name).description(command.description).allowExcessArguments();
  if ('commands' in command) {
    added.action(() => added.help());
    for (const inner of command.commands) add(added, inner);
  } else addAction(added, command);
}

function addAction(program: Program, action: CommandAction): void {
  if (action.arguments !== undefined) program.arguments(action.arguments);
  const known = Object.entries(action.options ?? {});
  for (const [, option] of known) program.addOption(optionOf(option));
  program.option('--config-file <path>', 'the configuration (default: ZONEWRIGHT_CONFIG, zonewright.conf)');
  program.action(async () => {
    const { configFile, ...written } = program.opts<Written>();
    const options = known.map(([name, option]) => [name, valueOf(option, written)] as const);
    await action.run(contextOf(configFile), { arguments: program.args, options: Object.fromEntries(options) });
  });
}

/** What commander makes of the options that `optionOf` declares. */
type Written = { readonly configFile?: string } & Given<CommandOptions>['options'];

function optionOf({ kind, flags, description }: CommandOption): Option {
  return new Option(flags, description).makeOptionMandatory(kind === 'required');
}

function valueOf(option: CommandOption, written: Written): Written[string] {
  const value = written[optionOf(option).attributeName()];
  return option.kind === 'flag' ? value === true : value;
}
