import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { ConfigError } from './config-error.js';
import {
  assertRules,
  type Refusal,
  type Rule,
  type Option,
  optionsIn,
  type OptionTree,
  type ReadOption,
  readTree,
  type ValuesOf,
  variableName,
} from './option.js';
import { type IniLine, readIni } from './ini-file.js';
import { OptionTable } from './option-table.js';
import { type Environment, Settings } from './settings.js';

export { ConfigError };

/** Location of the configuration. */
export interface ConfigSource {
  /** Value of --config-file. */
  readonly configFile?: string | undefined;
  /** Default: the process environment. */
  readonly env?: Environment;
  /** Default: the working directory. */
  readonly cwd?: string;
}

export interface Declared<Tree extends OptionTree> {
  readonly options: Tree;
  readonly rules: readonly Rule<ValuesOf<Tree>>[];
  readonly added: readonly Option<unknown>[];
}

export interface Loaded<Values> {
  readonly config: Values;
  /** @throws ConfigError if the value is not allowed */
  readonly read: ReadOption;
  readonly refusal: Refusal;
}

/** Only this reads the configuration file and `process.env`. @throws ConfigError for the first mistake */
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
 * Reads one option before all options are known.
 * @param siblings all options of its section
 * @throws ConfigError for an unreadable file, and for unknown names in the section
 */
export function readAhead<T>(option: Option<T>, siblings: readonly Option<unknown>[], source: ConfigSource): T {
  const { env = process.env } = source;
  const { section } = option;
  const lines = readLines(source).filter((line) => line.section === section);
  const variables = Object.entries(env).filter(([name]) => name.startsWith(variableName(section, '')));
  return new Settings(lines, Object.fromEntries(variables), new OptionTable(siblings)).read(option);
}

/** Default: the working directory. */
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

/** In container files, an empty variable means "not set". An empty argument is a mistake. */
function namedFile({ configFile, env = process.env }: ConfigSource): string | undefined {
  return configFile ?? (env.ZONEWRIGHT_CONFIG === '' ? undefined : env.ZONEWRIGHT_CONFIG);
}

/** A named file must exist. `zonewright.conf` in the working directory is optional. */
function readOctets(path: string, isNamed: boolean): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' && !isNamed) return null;
    throw new ConfigError(`${path}: the configuration file cannot be read (${code})`);
  }
}

/** The message of a system error would repeat the path. */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

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
