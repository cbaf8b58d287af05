import { describe, expect, it } from '@jest/globals';
import { configurationFiles } from '../../test/support/configuration.js';

const files = configurationFiles();

describe('the options of authentication', () => {
  it('have the documented defaults', () => {
    expect(files.defaults()).toMatchObject({
      auth: { adminToken: null },
      keystone: {
        authUrl: null,
        wwwAuthenticateUri: null,
        username: null,
        password: null,
        projectName: null,
        userDomainName: null,
        projectDomainName: null,
        tokenCacheTime: 300,
        adminRoles: ['admin'],
        readerRoles: ['reader'],
      },
      jwt: {
        issuer: null,
        audience: [],
        algorithms: ['RS256', 'ES256'],
        tokenTypes: ['at+jwt', 'jwt'],
        clockSkew: 30,
        tenantClaim: ['tenant_id'],
        rolesClaim: ['roles'],
        userClaim: ['sub'],
        adminRoles: ['admin'],
        memberRoles: ['member'],
        readerRoles: ['reader'],
        keysCacheTime: 600,
        keysCooldown: 30,
      },
    });
  });

  it('can all be set', () => {
    const text = `
[auth]
admin_token = 0123456789abcdef
[keystone_authtoken]
auth_url = http://keystone.example.org/v3/
www_authenticate_uri = https://keystone.example.org
username = zonewright
password = " bits#and;pieces "
project_name = service
user_domain_name = Default
project_domain_name = Default
token_cache_time = -1
admin_roles = Cloud_Admin, dns-admin
reader_roles =
[jwt]
issuer = https://issuer.example.org/realms/Main/
audience = https://dns.example.org, dns
algorithms = EdDSA
token_types = at+jwt
clock_skew = 0
tenant_claim = https://example.org/tenant
roles_claim = realm_access.roles
user_claim = preferred_username
admin_roles =
member_roles = DNS-writer
reader_roles = dns-reader, auditor
keys_cache_time = 1
keys_cooldown = 3600
`;
    expect(files.load(text)).toMatchObject({
      auth: { adminToken: '0123456789abcdef' },
      keystone: {
        authUrl: 'http://keystone.example.org/v3',
        wwwAuthenticateUri: 'https://keystone.example.org',
        username: 'zonewright',
        password: ' bits#and;pieces ',
        projectName: 'service',
        userDomainName: 'Default',
        projectDomainName: 'Default',
        tokenCacheTime: -1,
        adminRoles: ['cloud_admin', 'dns-admin'],
        readerRoles: [],
      },
      jwt: {
        issuer: 'https://issuer.example.org/realms/Main/',
        audience: ['https://dns.example.org', 'dns'],
        algorithms: ['EdDSA'],
        tokenTypes: ['at+jwt'],
        clockSkew: 0,
        tenantClaim: ['https://example.org/tenant'],
        rolesClaim: ['realm_access', 'roles'],
        userClaim: ['preferred_username'],
        adminRoles: [],
        memberRoles: ['dns-writer'],
        readerRoles: ['dns-reader', 'auditor'],
        keysCacheTime: 1,
        keysCooldown: 3600,
      },
    });
  });
});

describe('strategies and their requirements', () => {
  const noauth = (listen: string, rest = '') =>
    files.load(`[service:api]\nauth_strategy = noauth\nlisten = ${listen}\n${rest}`);

  it.each([
    '127.0.0.1:9001',
    '127.8.9.10:0',
    '[::1]:9001',
    '[::ffff:127.0.0.1]:9001',
    '[::1%lo]:9001',
    'LocalHost:9001',
  ])('noauth may listen on %s', (listen) => {
    expect(noauth(listen).api.authStrategies).toEqual(['noauth']);
  });

  it.each([
    '0.0.0.0:9001',
    '[::]:9001',
    '192.0.2.1:9001',
    '[fe80::1%lo]:9001',
    '[::ffff:192.0.2.1]:1',
    'localhost.example.org:9001',
  ])('noauth may listen on %s only when configured explicitly', (listen) => {
    expect(files.refusal(() => noauth(listen))).toBe(
      `FILE:3: [service:api] listen = "${listen}": allowed: a loopback address, because auth_strategy = noauth makes everybody admin; noauth_on_public_address = True permits it all the same`,
    );
    expect(noauth(listen, 'noauth_on_public_address = True').api.noauthPublic).toBe(true);
  });

  it.each(['noauth, token', 'jwt, noauth'])('noauth stands alone: %s', (strategies) => {
    expect(files.refusal(`[service:api]\nauth_strategy = ${strategies}`)).toBe(
      `FILE:2: [service:api] auth_strategy = "${strategies}": allowed: noauth alone, because it lets everybody in whom the others would refuse`,
    );
  });

  it('each strategy is named once', () => {
    expect(files.refusal('[service:api]\nauth_strategy = token, token')).toMatch(
      /several separated by commas, each once$/,
    );
  });

  it('jwt needs an issuer and an audience', () => {
    const strategy = '[service:api]\nauth_strategy = token, jwt';
    expect(files.refusal(strategy)).toMatch(
      /^\[jwt\] issuer is not set: give the URL of an OIDC issuer, because auth_strategy = jwt takes its tokens$/,
    );
    const issuer = '[jwt]\nissuer = https://issuer.example.org/';
    expect(files.refusal(`${strategy}\n${issuer}`)).toMatch(/^\[jwt\] audience is not set: give what tokens/);
    expect(files.load(`${strategy}\n${issuer}\naudience = dns`).jwt).toMatchObject({
      issuer: 'https://issuer.example.org/',
      audience: ['dns'],
    });
  });

  it('keystone needs a server', () => {
    const strategy = '[service:api]\nauth_strategy = keystone';
    expect(files.refusal(strategy)).toBe(
      '[keystone_authtoken] auth_url is not set: give the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
    );
    expect(files.refusal(`${strategy}\n[keystone_authtoken]\nauth_url =`)).toBe(
      'FILE:4: [keystone_authtoken] auth_url = "": give the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
    );
  });

  it('a user of Keystone needs a password', () => {
    const server = '[service:api]\nauth_strategy = keystone\n[keystone_authtoken]\nauth_url = http://127.0.0.1:5000';
    expect(files.refusal(`${server}\nusername = zonewright`)).toBe(
      '[keystone_authtoken] password is not set: give a username together with a password, or neither of them',
    );
  });

  it.each(['none', 'HS256', 'RS256, HS512', 'RSA1_5'])(
    'jwt takes signatures with published keys only: %s',
    (algorithms) => {
      expect(files.refusal(`[jwt]\nalgorithms = ${algorithms}`)).toMatch(/allowed: one of RS256, RS384,/);
    },
  );
});
