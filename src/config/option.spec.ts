import { describe, expect, it } from '@jest/globals';
import { exampleConfiguration } from '../plugins/plugin.js';
import { loadOptions } from './load-config.js';
import { inSection, option, optionsIn, type ValuesOf } from './option.js';
import { boolean, integer, list, orEmpty, text } from './readers.js';
import { exampleSections, optionTables } from './reference.js';

/** The form that plugins use, with its name. */
const stations = { name: 'stations', default: '3', reader: integer(1, 9), meaning: 'how many stations are asked' };

const OPTIONS = {
  ...inSection('weather', {
    stations,
    skyColors: option(orEmpty([], list(text)), '', 'colors to report'),
  }),
  wind: inSection('weather', { isShown: option(boolean, 'False', 'show the wind', { name: 'show_wind' }) }),
};

function load(env: Record<string, string>): ValuesOf<typeof OPTIONS> {
  return loadOptions({ options: OPTIONS, rules: [], added: [] }, { env, cwd: '/' }).config;
}

describe('an option that is declared', () => {
  it('has its value in the configuration, with the type of its reader', () => {
    const config = load({ ZONEWRIGHT_WEATHER__STATIONS: '5', ZONEWRIGHT_WEATHER__SHOW_WIND: 'yes' });
    const typed: { stations: number; skyColors: readonly string[]; wind: { isShown: boolean } } = config;
    expect(typed).toEqual({ stations: 5, skyColors: [], wind: { isShown: true } });
    expect(load({}).stations).toBe(3);
  });

  it('is refused where its reader does not take it', () => {
    expect(() => load({ ZONEWRIGHT_WEATHER__STATIONS: '10' })).toThrow(
      'ZONEWRIGHT_WEATHER__STATIONS: [weather] stations = "10": allowed: integer from 1 to 9',
    );
  });

  it('is in the reference and the example file, in the order of the declarations', () => {
    const options = optionsIn(OPTIONS);
    expect(options.map(({ name }) => name)).toEqual(['stations', 'sky_colors', 'show_wind']);
    expect(optionTables(options)).toContain('| `stations` | `3` | integer from 1 to 9 | how many stations are asked |');
    expect(exampleSections(options)).toContain(
      '# how many stations are asked\n# allowed: integer from 1 to 9\n#stations = 3\n',
    );
  });

  it('is equal for a plugin', () => {
    expect(exampleConfiguration({ name: 'weather', options: { stations } })).toBe(
      '[plugin:weather]\n\n# how many stations are asked\n# allowed: integer from 1 to 9\n#stations = 3\n',
    );
  });
});
