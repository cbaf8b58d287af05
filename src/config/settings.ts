import { ConfigError, quote } from './config-error.js';
import type { IniLine } from './ini-file.js';
import { nearest } from './nearest.js';
import { type Option, OPTIONS, variableName } from './options.js';

/** A value somebody set, as text. */
interface Setting {
  /** `path:line` or the name of an environment variable */
  readonly where: string;
  readonly value: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the file and the environment say, before it is known whether they may; the environment wins. */
export class Settings {
  private readonly settings: ReadonlyMap<string, Setting>;

  /** @throws ConfigError for a section or an option that does not exist, and for one that is set twice */
  constructor(file: readonly IniLine[], env: Environment) {
    this.settings = new Map([...settingsOfFile(file), ...settingsOfEnvironment(env)]);
  }

  /** @throws ConfigError when the value is not allowed */
  read<T>(option: Option<T>): T {
    const value = option.reader.read(this.settingOf(option).value);
    if (value === undefined) throw this.refusal(option, `allowed: ${option.reader.allowed}`);
    return value;
  }

  /** The one line that refuses an option. */
  refusal(option: Option<unknown>, reason: string): ConfigError {
    const { where, value } = this.settingOf(option);
    const shown = option.secret === true && value !== '' ? '(not shown)' : quote(value);
    return new ConfigError(`${where}: [${option.section}] ${option.name} = ${shown}: ${reason}`);
  }

  private settingOf(option: Option<unknown>): Setting {
    const key = variableName(option.section, option.name);
    return this.settings.get(key) ?? { where: 'default', value: option.default };
  }
}

function settingsOfFile(lines: readonly IniLine[]): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const { where, section, option } of lines) {
    assertSection(where, section);
    if (option === null) continue;
    assertOption(where, section, option.name);
    const key = variableName(section, option.name);
    const first = settings.get(key);
    if (first !== undefined) {
      throw new ConfigError(`${where}: [${section}] ${option.name} is already set at ${first.where}; keep one of them`);
    }
    settings.set(key, { where, value: option.value });
  }
  return settings;
}

const SECTIONS = [...new Set(OPTIONS.map(({ section }) => section))];

function assertSection(where: string, section: string): void {
  if (SECTIONS.includes(section)) return;
  const meant = nearest(section, SECTIONS);
  const hint = meant === undefined ? '' : `did you mean [${meant}]? `;
  throw new ConfigError(`${where}: unknown section ${quote(section)}; ${hint}sections: ${SECTIONS.join(', ')}`);
}

function assertOption(where: string, section: string, name: string): void {
  const siblings = OPTIONS.filter((option) => option.section === section).map((option) => option.name);
  if (siblings.includes(name)) return;
  const meant = nearestOption(section, name);
  const hint = meant === undefined ? '' : `did you mean [${meant.section}] ${meant.name}? `;
  throw new ConfigError(
    `${where}: unknown option ${quote(name)} in [${section}]; ${hint}options there: ${siblings.join(', ')}`,
  );
}

/** Whatever is spelled most like it, in this section rather than in another. */
function nearestOption(section: string, name: string): Option<unknown> | undefined {
  const isHere = (option: Option<unknown>) => Number(option.section === section);
  const options = [...OPTIONS].sort((one, other) => isHere(other) - isHere(one));
  const meant = nearest(
    name,
    options.map((option) => option.name),
  );
  return options.find((option) => option.name === meant);
}

function settingsOfEnvironment(env: Environment): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const [variable, value] of Object.entries(env)) {
    if (value === undefined || !isOptionVariable(variable)) continue;
    assertVariable(variable);
    settings.set(variable, { where: variable, value });
  }
  return settings;
}

/** `ZONEWRIGHT_CONFIG`, or what Kubernetes sets for a service of our name, has no double underscore. */
function isOptionVariable(variable: string): boolean {
  return variable.startsWith('ZONEWRIGHT_') && variable.includes('__');
}

const VARIABLES = new Set(OPTIONS.map((option) => variableName(option.section, option.name)));

function assertVariable(variable: string): void {
  if (VARIABLES.has(variable)) return;
  const meant = nearestOption('', variable.slice(variable.lastIndexOf('__') + '__'.length));
  const hint = meant === undefined ? '' : `did you mean ${variableName(meant.section, meant.name)}? `;
  throw new ConfigError(
    `environment: unknown option ${quote(variable)}; ${hint}names: ZONEWRIGHT_<SECTION>__<OPTION>, options: see zonewright.conf.example`,
  );
}
