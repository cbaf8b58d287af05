import { Controller, Get } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import { Public } from '../auth/access.decorators.js';
import { ServiceError } from '../common/service-error.js';
import { DatabaseReadiness } from './database-readiness.js';
import { ApiAlive, ApiHealth, ApiReady, type HealthDto } from './health.api.js';

/** For whoever watches the process: strangers may ask, so the answers are yes or no (ADR 14). */
@ApiHealth()
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: DatabaseReadiness,
  ) {}

  @Get('healthz')
  @ApiAlive()
  alive(): HealthDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @ApiReady()
  async ready(): Promise<HealthDto> {
    try {
      await this.health.check([() => this.checkDatabase()]);
    } catch {
      throw new ServiceError('unavailable', 'The service cannot take requests at the moment; try again later.');
    }
    return { status: 'ok' };
  }

  private async checkDatabase() {
    const indicator = this.indicators.check('database');
    return (await this.database.isReady()) ? indicator.up() : indicator.down();
  }
}
