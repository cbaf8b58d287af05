import { Controller, Get, Req } from '@nestjs/common';
import { Public } from '../../auth/access.decorators.js';
import { ServiceError } from '../../common/service-error.js';
import { currentlyFailing } from '../../observability/failing.js';
import { JSON_TYPE, Produces } from '../../http/bodies/media-types.js';
import type { ApiRequest } from '../../http/request.js';
import { RawResponse } from '../../http/custom-responses.js';
import { Readiness } from '../readiness.js';
import { ApiProperty, ApiPropertyOptional, ApiTags } from '../../http/openapi/decorators.js';
import { RETRY_AFTER } from '../../http/openapi/headers.js';
import type { Verdicts } from '../health-checks.js';
import { Operation } from '../../http/v1/api-docs.js';

export class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

export class ReadinessDto extends HealthDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['ok', 'failing'] },
    description: 'The results of the health checks of plugins, where there are any.',
    example: { 'inspections/overdue': 'ok' },
  })
  checks?: Verdicts;

  @ApiPropertyOptional({
    description:
      'How many standbys of the database are read, where there are any. The primary is read in place of the others.',
    example: '2 of 2 are read',
  })
  standbys?: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'Change listeners that have failed and are tried again.',
  })
  failing_listeners?: readonly string[];

  @ApiPropertyOptional({
    type: [String],
    description: 'Ports of plugins that have not answered lately; requests that need them are refused with 503.',
    example: ['billing-limits/RecordLimits'],
  })
  failing_plugins?: readonly string[];
}

const healthContent = (reason: string) => ({
  'text/plain': { schema: { type: 'string', example: reason } as const },
  [JSON_TYPE]: {
    schema: {
      type: 'object' as const,
      properties: {
        detailed: { type: 'boolean' as const },
        reasons: { type: 'array' as const, items: { type: 'string' as const } },
      },
    },
    example: { detailed: false, reasons: [reason] },
  },
});

const UNAVAILABLE = 'The service cannot take requests at the moment; try again later.';
const PLAIN_TEXT = 'text/plain; charset=utf-8';
const UNREADY = [503, UNAVAILABLE, { 'Retry-After': '2' }] as const;

/** For service managers and load balancers. Public, so the answers give no reasons (ADR 14). */
@ApiTags('health')
@Public()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  @Operation({
    summary: 'Whether the process is alive',
    description: 'The database is not asked.',
    response: HealthDto,
    errors: ['unsupported_accept'],
  })
  alive(): HealthDto {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Operation({
    summary: 'Whether requests are served',
    description:
      'Not ready while the service stops, while the database refuses reads or changes, while its schema is not up to date, and while an essential health check of a plugin fails.',
    response: ReadinessDto,
    errors: ['unsupported_accept', 'unavailable'],
  })
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

  /** Format of OpenStack services (oslo.middleware): plain text, unless the client prefers JSON. */
  @Get('healthcheck')
  @Produces()
  @Operation({
    summary: 'Whether requests are served, as load balancers of OpenStack ask',
    description: 'Like `/readyz`, in plain text, or as an object if `Accept` prefers JSON.',
    response: [
      { status: 200, description: 'Requests are served.', content: healthContent('OK') },
      {
        status: 503,
        description: 'Requests are not served.',
        content: healthContent('The service cannot take requests at the moment; try again later.'),
        headers: RETRY_AFTER,
      },
    ],
  })
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
