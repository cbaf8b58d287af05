import { Controller, Get } from '@nestjs/common';
import { Public } from '../auth/access.decorators.js';
import { ServiceError } from '../common/service-error.js';
import { currentConditions } from '../measurements/conditions.js';
import { ApiAlive, ApiHealth, ApiReady, type HealthDto, type ReadinessDto } from './health.api.js';
import { Readiness } from './readiness.js';

/** For service managers and load balancers. Anybody may ask, so the answers give no reasons (ADR 14). */
@ApiHealth()
@Public()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  @ApiAlive()
  alive(): HealthDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ApiReady()
  async ready(): Promise<ReadinessDto> {
    const { isReady, checks } = await this.readiness.state();
    if (isReady)
      return { status: 'ok', ...(Object.keys(checks).length === 0 ? {} : { checks }), ...currentConditions() };
    throw new ServiceError('unavailable', 'The service cannot take requests at the moment; try again later.');
  }
}
