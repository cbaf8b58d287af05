import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Controller, Get, Module } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ACME } from '../../examples/acme/acme.plugin.js';
import {
  compose,
  ConfigError,
  definePlugin,
  fill,
  HealthCheck,
  NoRecordLimits,
  readers,
  RecordLimits,
  recordType,
  STANDARD_TYPES,
  startService,
  type ZonewrightPlugin,
} from '../../src/index.js';
import { runCommand } from '../support/process.js';

const INDEX = resolve(import.meta.dirname, '../../dist/src/index.js');

@Entity('Zones')
class SecondZoneEntity {
  @PrimaryColumn('integer')
  id!: number;

  @Column('integer')
  size!: number;
}

class ExpandGauges1764000000000 {
  up = () => Promise.resolve();
  down = () => Promise.resolve();
}

@Entity('gauges')
class GaugeEntity {
  @PrimaryColumn('integer')
  id!: number;
}

@Controller('v1/domains')
class RecordsAgainController {
  @Get(':zone/records')
  list(): string {
    return '';
  }
}

@Module({})
class InnerModule {}

@Module({ imports: [{ module: InnerModule, controllers: [RecordsAgainController] }] })
class RecordsAgainModule {}

@Controller('v1/ext/gauges')
class GaugesController {
  @Get()
  list(): string {
    return '';
  }
}

@Module({ controllers: [GaugesController] })
class GaugesModule {}

class Gauge extends HealthCheck {
  override async assertHealthy(): Promise<void> {}
}

const HEALTH = { name: 'gauge', check: Gauge };

/** No port, no module. */
class Other {
  readonly isOther = true;
}

const option = { name: 'size', default: '1', reader: readers.integer(1, 9), meaning: 'how large' };
const [A] = STANDARD_TYPES;
const type = (name: string, code: number) =>
  recordType({ name, code, rfc: 'RFC 6895 §3.1', fields: {}, example: { name: 'host.example.org.', data: '' } });

/** A valid plugin except for the given parts. */
const widgets = (parts: Partial<ZonewrightPlugin>): ZonewrightPlugin =>
  definePlugin({ name: 'widgets', zonewright: '>=1.0.0', ...parts });

/** Conflicting plugins, and the error line. */
const REFUSALS: readonly [what: string, plugins: ZonewrightPlugin[], line: RegExp | string][] = [
  ['a malformed name', [widgets({ name: 'Widgets!' })], /^plugin Widgets!: a name has lower-case letters/],
  ['a reserved name', [widgets({ name: 'zones' })], 'plugin zones: the name zones is taken by Zonewright'],
  ['a plugin twice', [ACME, widgets({ name: 'acme' })], 'plugin acme: the name acme is taken by the plugin acme'],
  ['no range of versions', [widgets({ zonewright: 'new' })], /^plugin widgets: "new" is not a version range/],
  ['another version', [widgets({ zonewright: '^9.1' })], /^plugin widgets: fits Zonewright \^9\.1, and this is 1\./],
  [
    'an option twice',
    [widgets({ options: { a: option, b: option } })],
    'plugin widgets: the option size is there twice',
  ],
  [
    'an option whose default is not allowed',
    [widgets({ options: { a: { ...option, default: '0' } } })],
    'plugin widgets: the default of the option size is not allowed',
  ],
  [
    'an option that no variable can name',
    [widgets({ options: { a: { ...option, name: 'Size!' } } })],
    /^plugin widgets: the option "Size!": a name has/,
  ],
  [
    "a record type's name",
    [widgets({ recordTypes: () => [type('A', 65_301)] })],
    /the record type A is taken by Zonewr/,
  ],
  [
    "a record type's code",
    [ACME, widgets({ recordTypes: () => [type('WIDGET', 65_300)] })],
    'plugin widgets: the record type code 65300 is taken by the plugin acme',
  ],
  ['a record type without a mnemonic', [widgets({ recordTypes: () => [type('TYPE7', 65_301)] })], /capital letters/],
  ['a code of questions', [widgets({ recordTypes: () => [type('WIDGET', 255)] })], /255 is not the code of a type/],
  [
    'our own type again',
    [widgets({ recordTypes: () => [A!] })],
    'plugin widgets: the record type A is taken by Zonewright',
  ],
  [
    'a table',
    [widgets({ schema: () => ({ entities: [SecondZoneEntity], migrations: [] }) })],
    'plugin widgets: the table zones is taken by Zonewright',
  ],
  [
    'a table whose name could become ours',
    [widgets({ schema: () => ({ entities: [GaugeEntity], migrations: [] }) })],
    'plugin widgets: the table gauges: its tables begin with widgets_',
  ],
  [
    'a contraction that releases without it would pass over',
    [widgets({ schema: () => ({ entities: [], migrations: [], contractions: [ExpandGauges1764000000000] }) })],
    'plugin widgets: the contraction ExpandGauges1764000000000: its name begins with Contract',
  ],
  [
    'a built-in route, with any parameter name',
    [widgets({ api: () => ({ modules: [RecordsAgainModule] }) })],
    'plugin widgets: the route GET /v1/domains/:/records is taken by Zonewright',
  ],
  [
    'a route of another',
    [
      widgets({ name: 'gauges', api: () => ({ modules: [GaugesModule] }) }),
      widgets({ api: () => ({ v1Extensions: { gauges: GaugesModule } }) }),
    ],
    'plugin widgets: the route GET /v1/ext/gauges is taken by the plugin gauges',
  ],
  [
    'a port that another has filled',
    [ACME, widgets({ core: () => ({ ports: [fill(RecordLimits, NoRecordLimits)] }) })],
    'plugin widgets: the port RecordLimits is taken by the plugin acme',
  ],
  ['no port', [widgets({ core: () => ({ ports: [fill(Other, Other)] }) })], /Other is not a port of Zonewright/],
  [
    'an extension',
    [widgets({ api: () => ({ adminExtensions: { quotas: Other } }) })],
    'plugin widgets: the admin extension quotas is taken by Zonewright',
  ],
  [
    'a health check twice',
    [widgets({ api: () => ({ healthChecks: [HEALTH, HEALTH] }) })],
    'plugin widgets: the health check widgets/gauge is there twice',
  ],
  [
    'a malformed health check',
    [widgets({ api: () => ({ healthChecks: [{ ...HEALTH, name: 'a/b' }] }) })],
    'plugin widgets: the health check "a/b": a name has lower-case letters, digits and hyphens',
  ],
  [
    'a metric that could become ours',
    [widgets({ api: () => ({ metrics: [{ name: 'zonewright_widgets', help: '' }] }) })],
    /^plugin widgets: the metric "zonewright_widgets": a name has .* and begins with widgets_$/,
  ],
  [
    'a misspelt part',
    [{ ...widgets({}), recordtype: () => [] } as ZonewrightPlugin],
    'plugin widgets: the plugin has the unknown key "recordtype"; did you mean recordTypes?',
  ],
  [
    'a misspelt part of its interfaces',
    [widgets({ api: () => ({ listener: [] }) as object })],
    'plugin widgets: what api() returns has the unknown key "listener"; did you mean listeners?',
  ],
  [
    'an unknown part of its core',
    [widgets({ core: () => ({ controllers: [] }) as object })],
    'plugin widgets: what core() returns has the unknown key "controllers"; known are modules, ports',
  ],
  [
    'a misspelt part of its schema',
    [widgets({ schema: () => ({ entities: [], migrations: [], migration: [] }) })],
    'plugin widgets: what schema() returns has the unknown key "migration"; did you mean migrations?',
  ],
  [
    'a plugin that throws',
    [widgets({ core: () => Promise.reject(new Error('no licence')) })],
    'plugin widgets: cannot be loaded: no licence',
  ],
];

describe('plugins that do not go together', () => {
  it.each(REFUSALS)('are refused in one line before anything is opened: %s', async (_, plugins, line) => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-plugins-'));
    const env = {
      ZONEWRIGHT_SERVICE_API__LISTEN: '127.0.0.1:0',
      ZONEWRIGHT_DATABASE__URL: 'sqlite:none/plugins.sqlite',
    };
    const refusal = await (async () => startService(compose(plugins, { cwd: directory, env })))().catch(
      (error: unknown) => error,
    );
    await rm(directory, { recursive: true });
    expect(refusal).toBeInstanceOf(ConfigError);
    if (typeof line === 'string') expect((refusal as ConfigError).message).toBe(line);
    else expect((refusal as ConfigError).message).toMatch(line);
    expect((refusal as ConfigError).message).not.toContain('\n');
  });

  it('are refused by the command line with exit code 1: a command of the service', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-plugins-'));
    const program = join(directory, 'main.mjs');
    const plugin = "{ name: 'widgets', zonewright: '*', commands: [{ name: 'token', description: '', commands: [] }] }";
    await writeFile(program, `import { runCommandLine } from '${INDEX}';\nawait runCommandLine([${plugin}]);\n`);
    expect(await runCommand(directory, {}, ['migrate'], { program })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'zonewright: plugin widgets: the command token is taken by Zonewright\n',
    });
    await rm(directory, { recursive: true });
  });
});
