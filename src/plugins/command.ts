import type { Config } from '../config/config.js';

/** A command of the command line. Declared as data, so that help needs nothing else; `run` loads its code. */
export type Command<Context = CommandContext> = CommandAction<Context> | CommandGroup<Context>;

/** A command whose first argument is a command: `token list`. */
export interface CommandGroup<Context = CommandContext> {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly Command<Context>[];
}

/** A command that does something. */
export interface CommandAction<Context = CommandContext, Options extends CommandOptions = CommandOptions> {
  readonly name: string;
  readonly description: string;
  /** As in a usage line: `<file>`. */
  readonly arguments?: string;
  readonly options?: Options;
  /** @throws Error whose message is one line for the operator; the exit code is 1 then */
  run(context: Context, given: Given<Options>): Promise<void>;
}

/** The environment of a command. */
export interface CommandContext {
  readonly config: Config;
  /**
   * Opens the database, starts the services without listening, and closes both after the work. No limits apply to an
   * operator. It may run in parallel with the service.
   * @param of names of the plugins whose services are needed, which is faster than all of them
   */
  readonly withServices: <T>(work: (services: Services) => Promise<T>, of?: readonly string[]) => Promise<T>;
}

/** Finds a service by its class. */
export interface Services {
  get<T>(type: abstract new (...parameters: never[]) => T): T;
}

/** The arguments and options of a call. */
export interface Given<Options extends CommandOptions> {
  readonly arguments: readonly string[];
  readonly options: { readonly [Name in keyof Options]: ValueOf<Options[Name]['kind']> };
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

export interface CommandOption<Kind extends OptionKind = OptionKind> {
  readonly kind: Kind;
  /** `-o, --output <file>` */
  readonly flags: string;
  readonly description: string;
}

/** A switch; an optional text; a required text; several texts. */
export type OptionKind = 'flag' | 'text' | 'required' | 'list';

/** The value type of an option kind. */
export type ValueOf<Kind extends OptionKind> = {
  flag: boolean;
  text: string | undefined;
  required: string;
  list: readonly string[] | undefined;
}[Kind];

/** Lets the compiler infer the option values. */
export function command<Options extends CommandOptions, Context = CommandContext>(
  action: CommandAction<Context, Options>,
): CommandAction<Context> {
  return action;
}

export function flagOption(flags: string, description: string): CommandOption<'flag'> {
  return { kind: 'flag', flags, description };
}

export function textOption(flags: string, description: string): CommandOption<'text'> {
  return { kind: 'text', flags, description };
}

export function requiredOption(flags: string, description: string): CommandOption<'required'> {
  return { kind: 'required', flags, description };
}

/** One or more words, or the option several times. */
export function repeatedOption(flags: string, description: string): CommandOption<'list'> {
  return { kind: 'list', flags, description };
}
