import { Module } from '@nestjs/common';
import { OwnTokensService } from './own-tokens.service.js';
import { TokensController } from '../v1/tokens.controller.js';

/** Tokens that tenants make themselves, through version 1. */
@Module({ controllers: [TokensController], providers: [OwnTokensService] })
export class OwnTokensModule {}
