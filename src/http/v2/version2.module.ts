import { Global, Module } from '@nestjs/common';
import { V2Links } from './collection.js';

/** What the adapters of version 2 share. */
@Global()
@Module({ providers: [V2Links], exports: [V2Links] })
export class Version2Module {}
