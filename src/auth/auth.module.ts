import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from './auth.guard.js';
import { AuthOptions } from './auth.options.js';
import { Authenticator } from './authenticator.js';
import { NoauthAuthenticator } from './noauth.authenticator.js';
import { TokenAuthenticator } from './token.authenticator.js';
import { TokenRepository } from './token.repository.js';
import { TokensService } from './tokens.service.js';

@Module({})
export class AuthModule {
  /** @param authenticator provides `Authenticator`; by default the one for the configured strategy */
  static register(options: AuthOptions, authenticator = authenticatorOf(options)): DynamicModule {
    return {
      module: AuthModule,
      providers: [
        { provide: AuthOptions, useValue: options },
        TokenRepository,
        TokensService,
        authenticator,
        { provide: APP_GUARD, useClass: AuthGuard },
      ],
      exports: [TokensService],
    };
  }
}

function authenticatorOf({ strategy }: AuthOptions): Provider {
  return { provide: Authenticator, useClass: strategy === 'noauth' ? NoauthAuthenticator : TokenAuthenticator };
}
