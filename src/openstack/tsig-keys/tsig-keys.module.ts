import { Module } from '@nestjs/common';
import { TsigKeyRepository } from './tsig-key.repository.js';
import { TsigKeysService } from './tsig-keys.service.js';
import { TsigKeysController } from './v2/tsig-keys.controller.js';

@Module({ controllers: [TsigKeysController], providers: [TsigKeyRepository, TsigKeysService] })
export class TsigKeysModule {}
