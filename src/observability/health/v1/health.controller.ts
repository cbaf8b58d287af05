import { Controller, Get, Req } from '@nestjs/common';
import { Public } from '../../../auth/access.decorators.js';
import { ServiceError } from '../../../common/service-error.js';
import { currentlyFailing } from '../../failing.js';
import { JSON_TYPE, Produces } from '../../../http/bodies/media-types.js';
import type { ApiRequest } from '../../../http/request.js';
import { RawResponse } from '../../../http/raw-response.js';
import { ApiAlive, ApiHealth, ApiHealthcheck, ApiReady, type HealthDto, type ReadinessDto } from './health.api.js';
import { Readiness } from '../readiness.js';

const UNAVAILABLE = 'The service cannot take requests at the moment; try again later.';
const PLAIN_TEXT = 'text/plain; charset=utf-8';
const UNREADY = [503, UNAVAILABLE, { 'Retry-After': '2' }] as const;

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

  /** As the services of OpenStack answer it (oslo.middleware): in plain text, unless the client prefers JSON. */
  @Get('healthcheck')
  @Produces()
  @ApiHealthcheck()
  async healthcheck(@Req() request: ApiRequest): Promise<RawResponse> {
    const { isReady } = await this.readiness.state();
    const [status, reason, headers] = isReady ? ([200, 'OK', {}] as const) : UNREADY;
    return request.accepts(['text/plain', JSON_TYPE]) === JSON_TYPE
      ? new RawResponse(
          status,
          `${JSON_TYPE}; charset=utf-8`,
          JSON.stringify({ detailed: false, reasons: [reason] }),
          headers,
        )
      : new RawResponse(status, PLAIN_TEXT, reason, headers);
  }
}
