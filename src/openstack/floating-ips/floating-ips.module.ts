import { Module } from '@nestjs/common';
import { FloatingIpsController } from './v2/floating-ips.controller.js';

@Module({ controllers: [FloatingIpsController] })
export class FloatingIpsModule {}
