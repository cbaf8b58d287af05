import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { claimPath } from '../../config/readers.js';
import { ServiceError } from '../../common/service-error.js';
import { identityOf } from './jwt.authenticator.js';

const MAPPING = {
  tenantClaim: ['tenant_id'],
  rolesClaim: ['roles'],
  userClaim: ['sub'],
  adminRoles: ['admin'],
  memberRoles: ['member'],
  readerRoles: ['reader'],
};

describe('14.3 the claims of a token', () => {
  it('name tenant, roles, user and token', () => {
    const claims = { tenant_id: 'acme', roles: ['Member', 'reader', 'member'], sub: 'alice', jti: 'j1' };
    expect(identityOf(claims, MAPPING)).toEqual({
      tenantId: 'acme',
      roles: ['member', 'reader'],
      user: 'alice',
      tokenId: 'j1',
    });
  });

  it.each([
    ['a name', 'tenant', { tenant: 'acme' }],
    ['names with dots between', 'resource_access.dns.tenant', { resource_access: { dns: { tenant: 'acme' } } }],
    ['a URI', 'https://example.org/tenant', { 'https://example.org/tenant': 'acme' }],
  ])('are found by %s', (_, path, claims) => {
    expect(identityOf(claims, { ...MAPPING, tenantClaim: claimPath.read(path) ?? [] })).toMatchObject({
      tenantId: 'acme',
    });
  });

  it.each([
    ['a list', ['member', 'x'], ['member']],
    ['a text with blanks', 'openid member  reader', ['member', 'reader']],
    ['a role that means nothing here', ['offline_access'], []],
    ['a list with non-text entries', [1, null, ['admin'], { admin: true }, 'reader'], ['reader']],
    ['an object', { admin: true }, []],
    ['a number', 1, []],
    ['nothing', undefined, []],
  ])('have roles as %s', (_, roles, ours) => {
    expect(identityOf({ roles }, MAPPING).roles).toEqual(ours);
  });

  it.each([undefined, null])('need not name a tenant: %s', (tenant) => {
    expect(identityOf({ tenant_id: tenant }, MAPPING).tenantId).toBeNull();
  });

  it.each([[['acme', 'other']], [7], [true], [{}], [''], ['  '], ['x'.repeat(256)], ['a\0b'], ['\ud800']])(
    'name one tenant or none: %j',
    (tenant) => {
      expect(() => identityOf({ tenant_id: tenant }, MAPPING)).toThrow(ServiceError);
    },
  );

  it("omit values above the journal's size limit", () => {
    expect(identityOf({ sub: 'x'.repeat(256), jti: 'x'.repeat(37) }, MAPPING)).toEqual({ tenantId: null, roles: [] });
  });

  it.each(['__proto__', 'constructor', 'constructor.name', '__proto__.x', 'toString'])(
    'are own properties, not inherited ones: %s',
    (path) => {
      const claim = claimPath.read(path) ?? [];
      expect(identityOf({}, { ...MAPPING, tenantClaim: claim, rolesClaim: claim, userClaim: claim })).toEqual({
        tenantId: null,
        roles: [],
      });
    },
  );

  it('may be anything that is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (tenant, roles, sub) => {
        try {
          const identity = identityOf({ tenant_id: tenant, roles, sub: sub as string }, MAPPING);
          expect(identity.tenantId === null || identity.tenantId === tenant).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});
