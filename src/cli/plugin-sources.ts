/** What the texts of a new plugin are made with. */
export interface Words {
  readonly name: string;
  readonly version: string;
  /** `my-racks` as `MyRacks`. */
  readonly className: string;
}

/** The code of the package that `zonewright plugin new` writes, and its tests: texts by their paths. */
export function pluginSources(words: Words): Readonly<Record<string, string>> {
  const { name } = words;
  return {
    'src/index.ts': plugin(words),
    [`src/${name}.options.ts`]: options(words),
    [`src/${name}.service.ts`]: service(words),
    [`src/${name}.controller.ts`]: controller(words),
    [`src/${name}.module.ts`]: module(words),
    [`test/${name}.test.ts`]: test(words),
  };
}

function plugin({ name, version, className }: Words): string {
  return `import { definePlugin } from 'zonewright';
import { ${className}ApiModule, ${className}Module } from './${name}.module.js';
import { OPTIONS } from './${name}.options.js';

export default definePlugin({
  name: '${name}',
  zonewright: '^${version}',
  options: OPTIONS,
  core: ({ options }) => ({ modules: [${className}Module.register(options)] }),
  api: () => ({ modules: [${className}ApiModule] }),
});
`;
}

function options({ className }: Words): string {
  return `import { readers } from 'zonewright';

export const OPTIONS = {
  shown: {
    name: 'shown',
    default: '10',
    reader: readers.integer(1, 1000),
    meaning: 'how many domains are shown',
  },
};

/** Their values, for the classes of the plugin. */
export abstract class ${className}Options {
  abstract readonly shown: number;
}
`;
}

function service({ name, className }: Words): string {
  return `import { Injectable } from '@nestjs/common';
import { type Caller, ZonesService } from 'zonewright';
import { ${className}Options } from './${name}.options.js';

export interface Domain {
  readonly name: string;
  readonly records: number;
}

@Injectable()
export class ${className}Service {
  constructor(
    private readonly zones: ZonesService,
    private readonly options: ${className}Options,
  ) {}

  /** The domains of the caller with most records, the largest first. */
  async largest(caller: Caller): Promise<Domain[]> {
    const found: Domain[] = [];
    for (let marker = '', isLast = false; !isLast; ) {
      const page = await this.zones.page(caller, marker, 100);
      found.push(...page.entries.map(({ name, recordCount }) => ({ name, records: recordCount })));
      isLast = page.isLast;
      marker = page.entries.at(-1)?.id ?? marker;
    }
    return found.sort((one, other) => other.records - one.records).slice(0, this.options.shown);
  }
}
`;
}

function controller({ name, className }: Words): string {
  return `import { Controller, Get } from '@nestjs/common';
import { type Caller, CurrentCaller } from 'zonewright';
import { type Domain, ${className}Service } from './${name}.service.js';

@Controller('v1/ext/${name}')
export class ${className}Controller {
  constructor(private readonly service: ${className}Service) {}

  @Get()
  async largest(@CurrentCaller() caller: Caller): Promise<{ domains: Domain[] }> {
    return { domains: await this.service.largest(caller) };
  }
}
`;
}

function module({ name, className }: Words): string {
  return `import { type DynamicModule, Module } from '@nestjs/common';
import { ${className}Controller } from './${name}.controller.js';
import { ${className}Options } from './${name}.options.js';
import { ${className}Service } from './${name}.service.js';

/** What commands need too. */
@Module({})
export class ${className}Module {
  static register(options: ${className}Options): DynamicModule {
    return {
      module: ${className}Module,
      global: true,
      providers: [{ provide: ${className}Options, useValue: options }, ${className}Service],
      exports: [${className}Service],
    };
  }
}

/** What answers requests. */
@Module({ controllers: [${className}Controller] })
export class ${className}ApiModule {}
`;
}

function test({ name }: Words): string {
  return `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { exampleConfiguration } from 'zonewright';
import { startTestService, type TestService } from 'zonewright/testing';
import plugin from '../src/index.js';

describe('a service with the plugin', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ plugins: [plugin], config: { 'plugin:${name}': { shown: 1 } } });
  });
  after(() => service.close());

  it('shows the largest domain of the tenant', async () => {
    const client = service.client.as({ tenant: 'acme' });
    const ids: string[] = [];
    for (const name of ['example.org.', 'example.net.'])
      ids.push((await client.post('/v1/domains', { name, email: 'hostmaster@example.org' })).expect(200).json.id);
    const record = { name: 'www.example.net.', type: 'A', data: '192.0.2.1' };
    (await client.post('/v1/domains/' + ids[1] + '/records', record)).expect(200);

    const { domains } = (await client.get('/v1/ext/${name}')).expect(200).json;
    assert.deepEqual(domains, [{ name: 'example.net.', records: 1 }]);
    const others = (await service.client.as({ tenant: 'other' }).get('/v1/ext/${name}')).expect(200).json;
    assert.deepEqual(others, { domains: [] });
  });

  it('has its options documented', () => {
    const documented = readFileSync(new URL('../../zonewright.conf.example', import.meta.url), 'utf8');
    assert.ok(documented.endsWith(exampleConfiguration(plugin)), exampleConfiguration(plugin));
  });
});
`;
}
