import { tmpdir } from 'node:os';

import { describe, expect, it } from '@jest/globals';
import { configurationFiles } from '../../test/support/configuration.js';
import { loadConfig } from '../app/composition/built-in-options.js';

const files = configurationFiles();

describe('bad values', () => {
  const TTL = 'integer from 1 to 2147483647';
  const LISTEN = 'address:port as in 127.0.0.1:9001 or [::1]:9001, port 0 to 65535';
  const BOOLEAN = 'True or False (also 1/0, yes/no, on/off)';
  it.each([
    ['DEFAULT', 'default_ttl', '0', TTL],
    ['DEFAULT', 'default_ttl', '', TTL],
    ['DEFAULT', 'quota_zones', '-1', 'integer from 0 to 2147483647'],
    ['database', 'migrate', 'maybe', BOOLEAN],
    ['service:api', 'listen', '9001', LISTEN],
    ['service:api', 'listen', '', LISTEN],
    [
      'service:api',
      'api_base_uri',
      'dns.example.org',
      'http:// or https:// URL without credentials, query and fragment; or empty',
    ],
    [
      'service:api',
      'trusted_proxies',
      '192.0.2.1, 192.0.2.256',
      'IP address or network as in 192.0.2.1 or 2001:db8::/32; several separated by commas, each once; or empty',
    ],
    [
      'service:api',
      'auth_strategy',
      'Token',
      'one of token, keystone, jwt, noauth; several separated by commas, each once',
    ],
    [
      'service:api',
      'enabled_extensions_admin',
      'quotas audit',
      'extension name; several separated by commas, each once; or empty',
    ],
    [
      'service:api',
      'max_body_size',
      '1 MB/s',
      'number of octets from 1 to 1 GiB, with or without KiB, MiB, GiB, kB, MB or GB',
    ],
    ['service:api', 'workers', '65', 'integer from 1 to 64'],
    [
      'service:api',
      'cors_allowed_origins',
      '*',
      'origin as in https://dns.example.org; several separated by commas, each once; or empty',
    ],
    ['service:api', 'shutdown_grace', '3601', 'integer from 0 to 3600'],
    ['service:central', 'min_ttl', '0', `${TTL}; or empty`],
    [
      'service:central',
      'name_servers',
      '',
      'host name with a final dot as in ns1.example.org.; several separated by commas, each once',
    ],
    ['keystone_authtoken', 'token_cache_time', '-2', 'integer from -1 to 2147483647'],
  ])('[%s] %s = %j', (section, name, value, allowed) => {
    expect(files.refusal(`[${section}]\n${name} = ${value}`)).toBe(
      `FILE:2: [${section}] ${name} = "${value}": allowed: ${allowed}`,
    );
    const variable = `ZONEWRIGHT_${section.replace(':', '_').toUpperCase()}__${name.toUpperCase()}`;
    expect(files.refusal(() => loadConfig({ cwd: tmpdir(), env: { [variable]: value } }))).toBe(
      `${variable}: [${section}] ${name} = "${value}": allowed: ${allowed}`,
    );
  });

  const PACKAGE = 'name of a package, ./path or /path; several separated by commas, each once; or empty';
  const NETWORK = 'IP address or network as in 192.0.2.1 or 2001:db8::/32';
  const DATABASE = 'sqlite:<path>, sqlite::memory: or postgresql://user:password@host/name';
  it.each([
    [
      'database',
      'url',
      'sqlite:///var/lib/dns.sqlite',
      `a path follows sqlite: without //, because programs disagree on what three slashes begin; allowed: ${DATABASE}`,
    ],
    [
      'database',
      'url',
      'sqlite::memry:',
      `a path does not begin with a colon, because it may be sqlite::memory: mistyped; allowed: ${DATABASE}`,
    ],
    [
      'service:api',
      'trusted_proxies',
      '192.0.2.1, 0.0.0.0/0',
      `a network of /0 is every address there is; allowed: ${NETWORK}; several separated by commas, each once; or empty`,
    ],
    [
      'service:mdns',
      'allow_transfer',
      '::/0@transfer',
      'a network of /0 is every address there is; allowed: address or network, with @key',
    ],
    ['plugins', 'packages', 'zw-a, ./b, zw-a', `entry 3 is the same as entry 1; allowed: ${PACKAGE}`],
    [
      'plugins',
      'packages',
      './a.js, ./A.js',
      `entry 2 is the same as entry 1, because capitals do not count; allowed: ${PACKAGE}`,
    ],
    [
      'plugins',
      'packages',
      'https://plugins.example.org/a.js',
      `a URL would load code from elsewhere; allowed: ${PACKAGE}`,
    ],
    [
      'jwt',
      'issuer',
      'http://issuer.example.org',
      'over http:// anybody on the way could replace its keys; allowed: https:// URL',
    ],
  ])('say why: [%s] %s = %j', (section, name, value, words) => {
    const message = files.refusal(`[${section}]\n${name} = ${value}`);
    expect(message).toContain(`FILE:2: [${section}] ${name} = `);
    expect(message).toContain(`: ${words}`);
  });

  it('give the reason without secrets', () => {
    const key = 'one:hmac-sha256:MDEyMzQ1Njc4OWFiY2RlZg==';
    expect(files.refusal(`[service:mdns]\ntsig_keys = ${key}, ${key}`)).toMatch(
      /^FILE:2: \[service:mdns\] tsig_keys = \(not shown\): entry 2 is the same as entry 1; allowed: /,
    );
  });

  it('are shown on one line, cut, and without anything that moves the cursor', () => {
    const message = files.refusal(() =>
      files.load('', { ZONEWRIGHT_SERVICE_API__LISTEN: `\u001b[2J\r\n\u2028${'x'.repeat(1000)}` }),
    );
    expect(message).toMatch(
      /^ZONEWRIGHT_SERVICE_API__LISTEN: \[service:api\] listen = "\\u\{1b\}\[2J\\u\{d\}\\u\{a\}\\u\{2028\}x+"…: allowed: /,
    );
    expect(message.length).toBeLessThan(400);
  });
});

describe('secrets', () => {
  const SECRET = 'hunter2';
  it.each([
    ['auth', 'admin_token', SECRET],
    ['auth', 'admin_token', `${SECRET} ${SECRET} ${SECRET}`],
    ['auth', 'admin_token', `"${SECRET}"0123456789`],
    ['auth', 'admin_token', `${SECRET}#0123456789`],
    ['keystone_authtoken', 'password', `"${SECRET}\\n"`],
    ['keystone_authtoken', 'auth_url', `http://zonewright:${SECRET}@keystone.example.org`],
    ['keystone_authtoken', 'auth_url', `zonewright:${SECRET}@keystone.example.org`],
    ['database', 'url', `mysql://zonewright:${SECRET}@db.example.org/zonewright`],
    ['database', 'url', `postgresql://zonewright:${SECRET}/@db.example.org:x/zonewright`],
    ['database', 'url', SECRET],
  ])('are not shown: [%s] %s = %s', (section, name, value) => {
    const message = files.refusal(`[${section}]\n${name} = ${value}`);
    expect(message).toContain(name);
    expect(message).not.toContain(SECRET);
  });

  it('are not shown when their line cannot be read', () => {
    expect(files.refusal(`[auth]\nadmin_token: ${SECRET}==`)).toBe(
      'FILE:2: cannot be read; allowed are [section], option = value, and comments after # or ;',
    );
  });

  it('are named with the allowed values', () => {
    expect(files.refusal(`[auth]\nadmin_token = ${SECRET}`)).toBe(
      'FILE:2: [auth] admin_token = (not shown): allowed: at least 16 visible ASCII characters, no blanks; or empty',
    );
  });
});
