import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { configurationFiles } from '../../test/support/configuration.js';
import { loadConfig } from '../app/composition/built-in-options.js';

const files = configurationFiles();

describe('the configuration', () => {
  it('is frozen through and through', () => {
    const config = files.defaults();
    expect(
      [config, config.api, config.api.listen, config.api.trustedProxies, config.defaults.quotas].every(Object.isFrozen),
    ).toBe(true);
  });
});

describe('the file', () => {
  it('is the one of --config-file, else of ZONEWRIGHT_CONFIG, else zonewright.conf', () => {
    files.write('argument.conf', '[DEFAULT]\ndefault_ttl = 1');
    const variable = files.write('variable.conf', '[DEFAULT]\ndefault_ttl = 2');
    files.write('zonewright.conf', '[DEFAULT]\ndefault_ttl = 3');
    const env = { ZONEWRIGHT_CONFIG: variable };
    expect(loadConfig({ cwd: files.cwd, env, configFile: 'argument.conf' }).defaults.ttl).toBe(1);
    expect(loadConfig({ cwd: files.cwd, env, configFile: undefined }).defaults.ttl).toBe(2);
    expect(loadConfig({ cwd: files.cwd, env: { ZONEWRIGHT_CONFIG: '' } }).defaults.ttl).toBe(3);
    expect(files.defaults().defaults.ttl).toBe(3);
  });

  it('may begin with a byte order mark', () => {
    expect(files.load('\uFEFF[DEFAULT]\r\ndefault_ttl = 5\r\n').defaults.ttl).toBe(5);
  });

  it('must be readable when it was named', () => {
    expect(files.refusal(() => loadConfig({ cwd: files.cwd, env: {}, configFile: 'none.conf' }))).toBe(
      `${join(files.cwd, 'none.conf')}: the configuration file cannot be read (ENOENT)`,
    );
    expect(files.refusal(() => loadConfig({ cwd: files.cwd, env: { ZONEWRIGHT_CONFIG: '/dev/null/none' } }))).toBe(
      '/dev/null/none: the configuration file cannot be read (ENOTDIR)',
    );
    expect(files.refusal(() => loadConfig({ cwd: files.cwd, env: {}, configFile: '' }))).toBe(
      `${files.cwd}: the configuration file cannot be read (EISDIR)`,
    );
    expect(files.refusal(() => loadConfig({ cwd: files.cwd, env: {}, configFile: '/none\0\nsuch' }))).toMatch(
      /cannot be read/,
    );
  });

  it('must be a file of UTF-8 text', () => {
    files.write('zonewright.conf', Buffer.of(0xff, 0xfe));
    expect(files.refusal(() => files.defaults())).toBe('FILE: the configuration file is not UTF-8 text');
    mkdirSync(join(files.cwd, 'sub', 'zonewright.conf'), { recursive: true });
    expect(files.refusal(() => loadConfig({ cwd: join(files.cwd, 'sub'), env: {} }))).toMatch(
      /cannot be read \(EISDIR\)$/,
    );
  });
});

describe('the environment', () => {
  it('wins over the file', () => {
    const text = '[service:api]\nlisten = 192.0.2.1:1\nworkers = 1\n[service:central]\nmin_ttl = 60';
    const { api, central } = files.load(text, {
      ZONEWRIGHT_SERVICE_API__LISTEN: '[::1]:0',
      ZONEWRIGHT_SERVICE_CENTRAL__MIN_TTL: '',
    });
    expect(api.listen).toEqual({ host: '::1', port: 0 });
    expect(central.minTtl).toBeNull();
  });

  it('replaces a bad value of the file', () => {
    expect(files.load('[DEFAULT]\ndefault_ttl = soon', { ZONEWRIGHT_DEFAULT__DEFAULT_TTL: ' 60 ' }).defaults.ttl).toBe(
      60,
    );
  });

  it('is read literally, without quotes and comments', () => {
    expect(
      loadConfig({ cwd: files.cwd, env: { ZONEWRIGHT_KEYSTONE_AUTHTOKEN__PASSWORD: ' "a#b;c" ' } }).keystone.password,
    ).toBe(' "a#b;c" ');
  });

  it('may hold other variables', () => {
    const env = {
      PATH: '/bin',
      ZONEWRIGHT_PORT_9001_TCP: 'tcp://192.0.2.1:9001',
      ZONEWRIGHT_X__Y: undefined,
      ZONE__X: '1',
    };
    expect(() => loadConfig({ cwd: files.cwd, env })).not.toThrow();
  });

  it.each([
    ['ZONEWRIGHT_SERVICE_API__LISEN', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT_API__LISTEN', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT__SERVICE_API__LISTEN', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT_service_api__listen', 'did you mean ZONEWRIGHT_SERVICE_API__LISTEN? '],
    ['ZONEWRIGHT_AUTH__TOTALLY_UNKNOWN', ''],
  ])('holds no unknown option such as %s', (variable, hint) => {
    expect(files.refusal(() => loadConfig({ cwd: files.cwd, env: { [variable]: '1' } }))).toBe(
      `environment: unknown option "${variable}"; ${hint}names: ZONEWRIGHT_<SECTION>__<OPTION>, options: see zonewright.conf.example`,
    );
  });
});

describe('unknown names in the file', () => {
  it.each([
    [
      '[service_api]',
      'FILE:1: unknown section "service_api"; did you mean [service:api]? sections: DEFAULT, database, ',
    ],
    ['[default]', 'FILE:1: unknown section "default"; did you mean [DEFAULT]? sections: '],
    ['[service:mdn]', 'FILE:1: unknown section "service:mdn"; did you mean [service:mdns]? sections: '],
    ['[weather]', 'FILE:1: unknown section "weather"; sections: DEFAULT, database, service:api, '],
    ['[__proto__]', 'FILE:1: unknown section "__proto__"; sections: '],
    ['[a.b]', 'FILE:1: unknown section "a.b"; '],
    [
      '[auth]\nadmin_tokn = x',
      'FILE:2: unknown option "admin_tokn" in [auth]; did you mean [auth] admin_token? options there: admin_token',
    ],
    [
      '[auth]\nlisten = x',
      'FILE:2: unknown option "listen" in [auth]; did you mean [service:api] listen? options there: ',
    ],
    [
      '[database]\nURL = x',
      'FILE:2: unknown option "URL" in [database]; did you mean [database] url? options there: url, read_urls, max_staleness, migrate',
    ],
    [
      '[database]\npool = 4',
      'FILE:2: unknown option "pool" in [database]; options there: url, read_urls, max_staleness, migrate',
    ],
    [
      '[database]\n__proto__ = x',
      'FILE:2: unknown option "__proto__" in [database]; options there: url, read_urls, max_staleness, migrate',
    ],
    ['[database]\nconstructor.prototype = x', 'FILE:2: unknown option "constructor.prototype" in [database]; options'],
  ])('%j', (text, message) => {
    expect(files.refusal(text).slice(0, message.length)).toBe(message);
  });

  it('an option is set once, wherever its section is opened', () => {
    expect(files.refusal('[auth]\n[DEFAULT]\ndefault_ttl = 1\n[auth]\n[DEFAULT]\ndefault_ttl = 1')).toBe(
      `FILE:6: [DEFAULT] default_ttl is already set at ${join(files.cwd, 'zonewright.conf')}:3; keep one of them`,
    );
  });
});
