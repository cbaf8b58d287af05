import { ConfigError, quote } from './config-error.js';
import { type Option, variableName } from './option.js';

/** Rejects unknown options and suggests the nearest name. */
export class OptionTable {
  private readonly sections: readonly string[];
  private readonly variables: ReadonlySet<string>;

  constructor(private readonly options: readonly Option<unknown>[]) {
    this.sections = [...new Set(options.map(({ section }) => section))];
    this.variables = new Set(options.map(({ section, name }) => variableName(section, name)));
  }

  assertSection(where: string, section: string): void {
    if (this.sections.includes(section)) return;
    const meant = nearest(section, this.sections);
    const hint = meant === undefined ? '' : `did you mean [${meant}]? `;
    throw new ConfigError(`${where}: unknown section ${quote(section)}; ${hint}sections: ${this.sections.join(', ')}`);
  }

  assertOption(where: string, section: string, name: string): void {
    const siblings = this.options.filter((option) => option.section === section).map((option) => option.name);
    if (siblings.includes(name)) return;
    const meant = this.nearestTo(section, name);
    const hint = meant === undefined ? '' : `did you mean [${meant.section}] ${meant.name}? `;
    throw new ConfigError(
      `${where}: unknown option ${quote(name)} in [${section}]; ${hint}options there: ${siblings.join(', ')}`,
    );
  }

  assertVariable(variable: string): void {
    if (this.variables.has(variable)) return;
    const meant = this.nearestTo('', variable.slice(variable.lastIndexOf('__') + '__'.length));
    const hint = meant === undefined ? '' : `did you mean ${variableName(meant.section, meant.name)}? `;
    throw new ConfigError(
      `environment: unknown option ${quote(variable)}; ${hint}names: ZONEWRIGHT_<SECTION>__<OPTION>, options: see zonewright.conf.example`,
    );
  }

  private nearestTo(section: string, name: string): Option<unknown> | undefined {
    const isHere = (option: Option<unknown>) => Number(option.section === section);
    const options = [...this.options].sort((one, other) => isHere(other) - isHere(one));
    const names = options.map((option) => option.name);
    const meant = nearest(name, names);
    return options.find((option) => option.name === meant);
  }
}

export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(text.length / 4));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(text.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= limit ? best.candidate : undefined;
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    previous = current;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
