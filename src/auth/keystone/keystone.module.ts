import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { KeystoneClient } from './keystone.client.js';
import { KeystoneOptions, type ServiceUser } from './keystone.options.js';

/** What asks a Keystone server, for the authenticator that does so. */
@Module({})
export class KeystoneModule {
  static register(config: Config['keystone']): DynamicModule {
    return {
      module: KeystoneModule,
      providers: [{ provide: KeystoneOptions, useValue: optionsOf(config) }, KeystoneClient],
      exports: [KeystoneOptions, KeystoneClient],
    };
  }
}

function optionsOf(config: Config['keystone']): KeystoneOptions {
  const { authUrl, tokenCacheTime, adminRoles, readerRoles } = config;
  return {
    url: versionedUrl(authUrl ?? ''),
    serviceUser: serviceUserOf(config),
    cacheTime: tokenCacheTime < 0 ? null : tokenCacheTime,
    adminRoles,
    readerRoles,
    memberRoles: null,
  };
}

/** Operators name the root of Keystone, or its API v3. */
function versionedUrl(authUrl: string): string {
  return authUrl.endsWith('/v3') ? authUrl : `${authUrl}/v3`;
}

function serviceUserOf(config: Config['keystone']): ServiceUser | null {
  const { username: name, password, projectName: project, userDomainName, projectDomainName } = config;
  if (name === null || password === null) return null;
  return { name, password, project, userDomain: userDomainName, projectDomain: projectDomainName };
}
