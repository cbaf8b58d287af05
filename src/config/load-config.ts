import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { ConfigError } from './config-error.js';
import { assertRules, type Refusal, type Rule } from './cross-checks.js';
import { type IniLine, readIni } from './ini-file.js';
import {
  type Option,
  optionsIn,
  type OptionTree,
  type ReadOption,
  readTree,
  type ValuesOf,
  variableName,
} from './option.js';
import { OptionTable } from './option-table.js';
import { type Environment, Settings } from './settings.js';

export { ConfigError };

/** Where the configuration is read from. */
export interface ConfigSource {
  /** the value of --config-file */
  readonly configFile?: string | undefined;
  /** default: the environment of the process */
  readonly env?: Environment;
  /** default: the working directory of the process */
  readonly cwd?: string;
}

/** What may be configured. */
export interface Declared<Tree extends OptionTree> {
  readonly options: Tree;
  readonly rules: readonly Rule<ValuesOf<Tree>>[];
  /** Options that stand outside the tree, those of plugins. */
  readonly added: readonly Option<unknown>[];
}

/** A configuration that was found valid. */
export interface Loaded<Values> {
  readonly config: Values;
  /**
   * Reads one of the added options.
   * @throws ConfigError when the value is not allowed
   */
  readonly read: ReadOption;
  readonly refusal: Refusal;
}

/**
 * Reads and validates the whole configuration; nothing else in the service reads a configuration file or `process.env`.
 *
 * @throws ConfigError naming the first thing that is wrong
 */
export function loadOptions<Tree extends OptionTree>(
  { options, rules, added }: Declared<Tree>,
  source: ConfigSource,
): Loaded<ValuesOf<Tree>> {
  const { env = process.env } = source;
  const settings = new Settings(readLines(source), env, new OptionTable([...optionsIn(options), ...added]));
  const read: ReadOption = (option) => settings.read(option);
  const refusal: Refusal = (option, reason) => settings.refusal(option, reason);
  const config = readTree(options, read);
  assertRules(rules, config, refusal);
  return { config: deepFreeze(config), read, refusal };
}

/**
 * Reads one option before it is known which others there are.
 * @param siblings all of its section
 * @throws ConfigError for a file that cannot be read, and for names in the section that are not among them
 */
export function readAhead<T>(option: Option<T>, siblings: readonly Option<unknown>[], source: ConfigSource): T {
  const { env = process.env } = source;
  const { section } = option;
  const lines = readLines(source).filter((line) => line.section === section);
  const variables = Object.entries(env).filter(([name]) => name.startsWith(variableName(section, '')));
  return new Settings(lines, Object.fromEntries(variables), new OptionTable(siblings)).read(option);
}

/** The folder of the configuration file, or the working directory where there is none. */
export function configDirectory(source: ConfigSource): string {
  return dirname(configPath(source));
}

function readLines(source: ConfigSource): IniLine[] {
  const path = configPath(source);
  const octets = readOctets(path, namedFile(source) !== undefined);
  return octets === null ? [] : readIni(path, decode(path, octets));
}

function configPath(source: ConfigSource): string {
  return resolve(source.cwd ?? process.cwd(), namedFile(source) ?? 'zonewright.conf');
}

/** An empty variable is how a container file says "not set"; an empty argument is a mistake. */
function namedFile({ configFile, env = process.env }: ConfigSource): string | undefined {
  return configFile ?? (env.ZONEWRIGHT_CONFIG === '' ? undefined : env.ZONEWRIGHT_CONFIG);
}

/** A file that somebody named must be there; `zonewright.conf` in the working directory may be. */
function readOctets(path: string, isNamed: boolean): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' && !isNamed) return null;
    throw new ConfigError(`${path}: the configuration file cannot be read (${code})`);
  }
}

/** `ENOENT` and its like: the message of a system error would name the path a second time. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

/** A byte order mark in front is dropped. */
function decode(path: string, octets: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    throw new ConfigError(`${path}: the configuration file is not UTF-8 text`);
  }
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  }
  return Object.freeze(value);
}
