import { afterEach, describe, expect, it } from '@jest/globals';
import { compose } from '../../src/app/composition/compose.js';
import { BUILT_IN_OPTIONS } from '../../src/app/composition/built-in-options.js';
import { optionsIn } from '../../src/config/option.js';
import { temporaryDirectories } from '../support/directory.js';
import { type ServiceProcess, startServiceProcess } from '../support/process.js';
import { environmentOf, type Settings } from '../support/service.js';

const newDirectory = temporaryDirectories();

describe('the reference of options', () => {
  it.each(['enabled_extensions_admin', 'enabled_extensions_v1'])('names the values that %s accepts', async (name) => {
    const env = { [`ZONEWRIGHT_SERVICE_API__${name.toUpperCase()}`]: 'none-of-them' };
    const composition = compose([], { env, cwd: await newDirectory() });
    const refusal = await composition.application().then(
      () => 'was not refused',
      (error: unknown) => String(error),
    );
    const [, known = ''] = /known: (.*)$/.exec(refusal) ?? [];
    const meaning = optionsIn(BUILT_IN_OPTIONS).find((option) => option.name === name)?.meaning ?? '';
    const named = meaning.replace(/\([^)]*\)/g, '').match(/\w+(?=\s*(?:,|$))/g);
    expect(named).toEqual(known.split(', '));
  });
});

describe('18.5 extensions for admins', () => {
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    service?.signal('SIGKILL');
    await service?.ended;
    service = undefined;
  });

  /** Warnings of a start on standard error. */
  async function warningsOf(settings: Settings): Promise<string> {
    const directory = await newDirectory();
    service = await startServiceProcess(directory, environmentOf(directory, { LOG__FORMAT: 'pretty', ...settings }));
    service.signal('SIGTERM');
    const { stdout, stderr } = await service.ended;
    return stdout + stderr;
  }

  const NAMED = { SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas, audit' };

  it('are warned of while nothing under /admin is open', async () => {
    expect(await warningsOf(NAMED)).toMatch(
      /WARN.*\[service:api\] enabled_extensions_admin = quotas, audit has no effect while enable_api_admin = False: set it to True, or take the extensions out/,
    );
  });

  it('are not warned of otherwise', async () => {
    expect(await warningsOf({ ...NAMED, SERVICE_API__ENABLE_API_ADMIN: 'True' })).not.toContain('enabled_extensions');
  });
});
