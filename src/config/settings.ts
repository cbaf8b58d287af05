import { ConfigError, quote } from './config-error.js';
import type { IniLine } from './ini-file.js';
import type { OptionTable } from './option-table.js';
import { type Option, variableName } from './option.js';

interface Setting {
  /** `path:line` or environment variable. */
  readonly where: string;
  readonly value: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Raw settings of file and environment. The environment takes precedence. */
export class Settings {
  private readonly settings: ReadonlyMap<string, Setting>;

  /** @throws ConfigError for unknown sections and options, and for duplicates in the file */
  constructor(file: readonly IniLine[], env: Environment, table: OptionTable) {
    this.settings = new Map([...settingsOfFile(file, table), ...settingsOfEnvironment(env, table)]);
  }

  read<T>(option: Option<T>): T {
    const { reader } = option;
    const text = this.settingOf(option).value;
    const value = reader.read(text);
    if (value !== undefined) return value;
    const why = reader.whyNot?.(text);
    throw this.refusal(option, [...(why === undefined ? [] : [why]), `allowed: ${reader.allowed}`].join('; '));
  }

  refusal(option: Option<unknown>, reason: string): ConfigError {
    const { where, value } = this.settingOf(option);
    const name = `[${option.section}] ${option.name}`;
    if (where === null) return new ConfigError(`${name} is not set: ${reason}`);
    const shown = option.secret === true && value !== '' ? '(not shown)' : quote(value);
    return new ConfigError(`${where}: ${name} = ${shown}: ${reason}`);
  }

  private settingOf(option: Option<unknown>): Setting | { readonly where: null; readonly value: string } {
    const key = variableName(option.section, option.name);
    return this.settings.get(key) ?? { where: null, value: option.default };
  }
}

function settingsOfFile(lines: readonly IniLine[], table: OptionTable): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const { where, section, option } of lines) {
    table.assertSection(where, section);
    if (option === null) continue;
    table.assertOption(where, section, option.name);
    const key = variableName(section, option.name);
    const first = settings.get(key);
    if (first !== undefined) {
      throw new ConfigError(`${where}: [${section}] ${option.name} is already set at ${first.where}; keep one of them`);
    }
    settings.set(key, { where, value: option.value });
  }
  return settings;
}

function settingsOfEnvironment(env: Environment, table: OptionTable): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const [variable, value] of Object.entries(env)) {
    if (value === undefined || !isOptionVariable(variable)) continue;
    table.assertVariable(variable);
    settings.set(variable, { where: variable, value });
  }
  return settings;
}

/** `ZONEWRIGHT_CONFIG` and the service variables of Kubernetes have no double underscore. */
function isOptionVariable(variable: string): boolean {
  return variable.startsWith('ZONEWRIGHT_') && variable.includes('__');
}
