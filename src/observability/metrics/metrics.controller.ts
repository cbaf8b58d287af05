import { Controller, Get } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import { ServiceError } from '../../common/service-error.js';
import { Produces } from '../../http/bodies/media-types.js';
import { RawResponse } from '../../http/raw-response.js';
import { EXPOSITION_TYPE } from './exposition.js';
import { metricsText } from './metrics-text.js';

/** For Prometheus, with the credential of an admin: a port that tenants reach tells them nothing of others. */
@AdminOnly()
@Controller('metrics')
export class MetricsController {
  @Get()
  @Produces('text/plain')
  async read(): Promise<RawResponse> {
    try {
      return new RawResponse(200, EXPOSITION_TYPE, await metricsText());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ServiceError(
        'unavailable',
        `The metrics cannot be collected at the moment: ${reason}; try again later.`,
      );
    }
  }
}
