import { Controller, Get } from '@nestjs/common';
import { Public } from '../../../auth/access.decorators.js';
import { ServiceError } from '../../../common/service-error.js';
import { currentlyFailing } from '../../failing.js';
import { Produces } from '../../../http/bodies/media-types.js';
import { ReadyAnswer } from '../../../http/ready-answer.js';
import { ApiAlive, ApiHealth, ApiHealthcheck, ApiReady, type HealthDto, type ReadinessDto } from './health.api.js';
import { Readiness } from '../readiness.js';

const UNAVAILABLE = 'The service cannot take requests at the moment; try again later.';
const PLAIN_TEXT = 'text/plain; charset=utf-8';

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
    const { isReady, checks, standbys } = await this.readiness.state();
    if (!isReady) throw new ServiceError('unavailable', UNAVAILABLE);
    return {
      status: 'ok',
      ...(Object.keys(checks).length === 0 ? {} : { checks }),
      ...(standbys === null ? {} : { standbys }),
      ...currentlyFailing(),
    };
  }

  /** As the services of OpenStack answer it (oslo.middleware): in plain text, whatever the client says that it accepts. */
  @Get('healthcheck')
  @Produces()
  @ApiHealthcheck()
  async healthcheck(): Promise<ReadyAnswer> {
    const { isReady } = await this.readiness.state();
    return isReady
      ? new ReadyAnswer(200, PLAIN_TEXT, 'OK')
      : new ReadyAnswer(503, PLAIN_TEXT, UNAVAILABLE, { 'Retry-After': '2' });
  }
}
