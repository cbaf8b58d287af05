import { type DynamicModule, Module } from '@nestjs/common';
import { AuthOptions } from './auth.options.js';
import { TokenUses } from './tokens/token-uses.js';
import { TokenRepository } from './tokens/token.repository.js';
import { TokensService } from './tokens/tokens.service.js';

/** Tokens, for whoever manages them and whoever asks for them. */
@Module({})
export class AuthCoreModule {
  static register(options: AuthOptions): DynamicModule {
    return {
      module: AuthCoreModule,
      global: true,
      providers: [{ provide: AuthOptions, useValue: options }, TokenRepository, TokenUses, TokensService],
      exports: [AuthOptions, TokenRepository, TokenUses, TokensService],
    };
  }
}
