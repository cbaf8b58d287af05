import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { assertRules } from './cross-checks.js';
import { type IniLine, readIni } from './ini-file.js';
import { OptionTable } from './option-table.js';
import { type Option, OPTIONS, PLUGIN_PACKAGES, type ReadOption, readConfig, variableName } from './options.js';
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

/** A configuration that was found valid, and what the options beside our own are set to. */
export interface LoadedConfig {
  readonly config: Config;
  /** @throws ConfigError when the value is not allowed */
  readonly read: ReadOption;
  readonly refusal: Refusal;
}

/** Makes the one line that refuses what an option is set to, with the place where it is. */
export type Refusal = (option: Option<unknown>, reason: string) => ConfigError;

/**
 * Reads and validates the whole configuration; nothing else in the service reads a configuration file or `process.env`.
 *
 * @throws ConfigError naming the first thing that is wrong
 */
export function loadConfig(source: ConfigSource = {}): Config {
  return loadConfigWith([], source).config;
}

/** The same where there are options beside our own, those of plugins. */
export function loadConfigWith(added: readonly Option<unknown>[], source: ConfigSource): LoadedConfig {
  const { env = process.env } = source;
  const settings = new Settings(readLines(source), env, new OptionTable([...OPTIONS, ...added]));
  const read: ReadOption = (option) => settings.read(option);
  const refusal: Refusal = (option, reason) => settings.refusal(option, reason);
  const config = readConfig(read);
  assertRules(config, refusal);
  return { config: deepFreeze(config), read, refusal };
}

/** Packages to load before the whole configuration can be read, which has options of their plugins. */
export interface NamedPackages {
  readonly packages: readonly string[];
  /** the folder of the configuration file, or the working directory where there is none */
  readonly directory: string;
}

/** @throws ConfigError for a file that cannot be read, and for a section `[plugins]` that is not valid */
export function readPluginPackages(source: ConfigSource = {}): NamedPackages {
  const { env = process.env } = source;
  const path = configPath(source);
  const { section } = PLUGIN_PACKAGES;
  const ofSection = OPTIONS.filter((option) => option.section === section);
  const lines = readLines(source).filter((line) => line.section === section);
  const variables = Object.entries(env).filter(([name]) => name.startsWith(variableName(section, '')));
  const settings = new Settings(lines, Object.fromEntries(variables), new OptionTable(ofSection));
  return { packages: settings.read(PLUGIN_PACKAGES), directory: dirname(path) };
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
