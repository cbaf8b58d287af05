import { Command as Program, Option } from 'commander';
import { Claims } from '../app/composition/plugin-checks.js';
import { assertPlugins } from '../app/composition/compose.js';
import { packageVersion } from '../app/package-version.js';
import { loadPluginPackages } from '../app/composition/plugin-packages.js';
import type { ZonewrightPlugin } from '../plugins/plugin.js';
import type { Command, CommandAction, CommandOption, CommandOptions, Given } from '../plugins/command.js';
import { COMMANDS } from './commands.js';
import { contextOf, type ProgramContext } from './program-context.js';

/** Runs built-in and plugin commands, also in workers. An error is one line on standard error and exit code 1. */
export async function runCommandLine(plugins: readonly ZonewrightPlugin[] = []): Promise<void> {
  try {
    const packages = await loadPluginPackages({ configFile: configFileIn(process.argv) });
    await programOf([...plugins, ...packages]).parseAsync();
  } catch (error) {
    console.error(`zonewright: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

const CONFIG_FILE = '--config-file';

/** Read before parsing: the configuration names plugin packages that add commands. */
function configFileIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => arg === CONFIG_FILE || arg.startsWith(`${CONFIG_FILE}=`));
  return args[at] === CONFIG_FILE ? args[at + 1] : args[at]?.slice(CONFIG_FILE.length + 1);
}

function programOf(plugins: readonly ZonewrightPlugin[]): Program {
  assertPlugins(plugins);
  const program = new Program('zonewright').version(packageVersion());
  const makeContext = (configFile?: string) => contextOf(plugins, configFile);
  for (const command of [...COMMANDS, ...commandsOf(plugins)]) add(program, command, makeContext);
  return program;
}

/** commander owns `help`. */
const RESERVED = [...COMMANDS.map(({ name }) => name), 'help'];

function commandsOf(plugins: readonly ZonewrightPlugin[]): Command[] {
  const claims = new Claims('command', RESERVED);
  return plugins.flatMap((plugin) => {
    const { commands = [] } = plugin;
    for (const { name } of commands) claims.claim(plugin, name);
    return commands;
  });
}

type MakeContext = (configFile?: string) => ProgramContext;

function add(program: Program, command: Command<ProgramContext>, makeContext: MakeContext): void {
  const added = program.command(command.name).description(command.description).allowExcessArguments();
  if ('commands' in command) {
    added.action(() => added.help());
    for (const inner of command.commands) add(added, inner, makeContext);
  } else addAction(added, command, makeContext);
}

function addAction(program: Program, action: CommandAction<ProgramContext>, makeContext: MakeContext): void {
  if (action.arguments !== undefined) program.arguments(action.arguments);
  const known = Object.entries(action.options ?? {});
  for (const [, option] of known) program.addOption(optionOf(option));
  program.option(`${CONFIG_FILE} <path>`, 'the configuration (default: ZONEWRIGHT_CONFIG, zonewright.conf)');
  program.action(async () => {
    const { configFile, ...written } = program.opts<Written>();
    const options = known.map(([name, option]) => [name, valueOf(option, written)] as const);
    await action.run(makeContext(configFile), { arguments: program.args, options: Object.fromEntries(options) });
  });
}

type Written = { readonly configFile?: string } & Given<CommandOptions>['options'];

function optionOf({ kind, flags, description }: CommandOption): Option {
  return new Option(flags, description).makeOptionMandatory(kind === 'required');
}

function valueOf(option: CommandOption, written: Written): Written[string] {
  const value = written[optionOf(option).attributeName()];
  return option.kind === 'flag' ? value === true : value;
}
