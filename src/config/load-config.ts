import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Config } from './config.js';
import { ConfigError } from './config-error.js';
import { assertRules } from './cross-checks.js';
import { type IniLine, readIni } from './ini-file.js';
import { OptionTable } from './option-table.js';
import { type Option, OPTIONS, type ReadOption, readConfig } from './options.js';
import { type Environment, Settings } from './settings.js';

export { ConfigError };

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
}

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
  const { configFile, env = process.env, cwd = process.cwd() } = source;
  // An empty variable is how a container file says "not set"; an empty argument is a mistake.
  const named = configFile ?? (env.ZONEWRIGHT_CONFIG === '' ? undefined : env.ZONEWRIGHT_CONFIG);
  const settings = new Settings(readLines(named, cwd), env, new OptionTable([...OPTIONS, ...added]));
  const read: ReadOption = (option) => settings.read(option);
  const config = readConfig(read);
  assertRules(config, (option, reason) => settings.refusal(option, reason));
  return { config: deepFreeze(config), read };
}

function readLines(named: string | undefined, cwd: string): IniLine[] {
  const path = resolve(cwd, named ?? 'zonewright.conf');
  const octets = readOctets(path, named !== undefined);
  return octets === null ? [] : readIni(path, decode(path, octets));
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
