import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { callerIn } from 'zonewright';
import { TenantLimits } from './tenant-limits.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Loads the limits of a tenant before its request. The port runs inside a transaction with locks, where no code may
 * wait for another system.
 */
@Injectable()
export class LimitsBeforeChanges implements NestInterceptor {
  constructor(private readonly limits: TenantLimits) {}

  async intercept(context: ExecutionContext, next: CallHandler) {
    const caller = callerIn(context);
    const { method } = context.switchToHttp().getRequest<{ readonly method: string }>();
    if (caller !== null && !READING.has(method)) await this.limits.load(caller.tenantId);
    return next.handle();
  }
}
