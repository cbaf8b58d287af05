import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { IssuerClient } from './issuer.client.js';
import { IssuerKeys } from './issuer-keys.js';
import { JwtOptions } from './jwt.options.js';

/** The keys of an issuer, for the authenticator that verifies its tokens. */
@Module({})
export class JwtModule {
  static register(config: Config['jwt']): DynamicModule {
    const options: JwtOptions = { ...config, issuer: config.issuer ?? '' };
    return {
      module: JwtModule,
      providers: [{ provide: JwtOptions, useValue: options }, IssuerClient, IssuerKeys],
      exports: [JwtOptions, IssuerKeys],
    };
  }
}
