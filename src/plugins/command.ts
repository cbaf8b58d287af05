import type { Config } from '../config/config.js';

/**
 * A command of the command line. It is declared as data, so that help and refusals need nothing else; what it does
 * stands behind `run`, which loads it.
 */
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
  /** As a usage line has them: `<file>`. */
  readonly arguments?: string;
  readonly options?: Options;
  /** @throws Error whose message is the one line that tells the operator what is wrong; the exit code is 1 then */
  run(context: Context, given: Given<Options>): Promise<void>;
}

/** What a command has to work with. */
export interface CommandContext {
  readonly config: Config;
  /**
   * Opens the database, starts the services without listening, and closes both when the work is done. No limits hold
   * for an operator. It may run while the service does.
   * @param of names of the plugins whose services are needed, which is faster than all of them
   */
  readonly withServices: <T>(work: (services: Services) => Promise<T>, of?: readonly string[]) => Promise<T>;
}

/** Finds a service by its class. */
export interface Services {
  get<T>(type: abstract new (...parameters: never[]) => T): T;
}

/** What was written behind the command. */
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

/** A switch; a text that may be left out; one that must not; several texts. */
export type OptionKind = 'flag' | 'text' | 'required' | 'list';

/** What an option of that kind holds. */
export type ValueOf<Kind extends OptionKind> = {
  flag: boolean;
  text: string | undefined;
  required: string;
  list: readonly string[] | undefined;
}[Kind];

/** Lets the compiler find out what the options hold. */
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
