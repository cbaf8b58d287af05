import { ConfigError, quote } from './config-error.js';
import { nearest } from './nearest.js';
import { type Option, variableName } from './option.js';

/** The options that exist; who names another is told which one may have been meant. */
export class OptionTable {
  private readonly sections: readonly string[];
  private readonly variables: ReadonlySet<string>;

  constructor(private readonly options: readonly Option<unknown>[]) {
    this.sections = [...new Set(options.map(({ section }) => section))];
    this.variables = new Set(options.map(({ section, name }) => variableName(section, name)));
  }

  /** @throws ConfigError for a section that no option is in */
  assertSection(where: string, section: string): void {
    if (this.sections.includes(section)) return;
    const meant = nearest(section, this.sections);
    const hint = meant === undefined ? '' : `did you mean [${meant}]? `;
    throw new ConfigError(`${where}: unknown section ${quote(section)}; ${hint}sections: ${this.sections.join(', ')}`);
  }

  /** @throws ConfigError for an option that is not in the section */
  assertOption(where: string, section: string, name: string): void {
    const siblings = this.options.filter((option) => option.section === section).map((option) => option.name);
    if (siblings.includes(name)) return;
    const meant = this.nearestTo(section, name);
    const hint = meant === undefined ? '' : `did you mean [${meant.section}] ${meant.name}? `;
    throw new ConfigError(
      `${where}: unknown option ${quote(name)} in [${section}]; ${hint}options there: ${siblings.join(', ')}`,
    );
  }

  /** @throws ConfigError for a variable of the environment that is written as an option and names none */
  assertVariable(variable: string): void {
    if (this.variables.has(variable)) return;
    const meant = this.nearestTo('', variable.slice(variable.lastIndexOf('__') + '__'.length));
    const hint = meant === undefined ? '' : `did you mean ${variableName(meant.section, meant.name)}? `;
    throw new ConfigError(
      `environment: unknown option ${quote(variable)}; ${hint}names: ZONEWRIGHT_<SECTION>__<OPTION>, options: see zonewright.conf.example`,
    );
  }

  /** Whatever is spelled most like it, in this section rather than in another. */
  private nearestTo(section: string, name: string): Option<unknown> | undefined {
    const isHere = (option: Option<unknown>) => Number(option.section === section);
    const options = [...this.options].sort((one, other) => isHere(other) - isHere(one));
    const meant = nearest(
      name,
      options.map((option) => option.name),
    );
    return options.find((option) => option.name === meant);
  }
}
