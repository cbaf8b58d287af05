import { applyDecorators } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
} from '../../../http/openapi/decorators.js';
import { JSON_TYPE } from '../../../http/bodies/media-types.js';
import { RETRY_AFTER } from '../../../http/openapi/headers.js';
import { ApiErrors } from '../../../http/v1/api-docs.js';
import type { Verdicts } from '../health-checks.js';

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

export const ApiHealth = (): ClassDecorator => applyDecorators(ApiTags('health'));

export const ApiAlive = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary: 'Whether the process is alive', description: 'The database is not asked.' }),
    ApiOkResponse({ type: HealthDto }),
    ApiErrors('unsupported_accept'),
  );

export const ApiReady = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: 'Whether requests are served',
      description:
        'Not ready while the service stops, while the database refuses reads or changes, while its schema is not up to date, and while an essential health check of a plugin fails.',
    }),
    ApiOkResponse({ type: ReadinessDto }),
    ApiErrors('unsupported_accept', 'unavailable'),
  );

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

export const ApiHealthcheck = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: 'Whether requests are served, as load balancers of OpenStack ask',
      description: 'The same as `/readyz` in plain text, or as an object where `Accept` prefers JSON.',
    }),
    ApiResponse({ status: 200, description: 'Requests are served.', content: healthContent('OK') }),
    ApiResponse({
      status: 503,
      description: 'Requests are not served.',
      content: healthContent('The service cannot take requests at the moment; try again later.'),
      headers: RETRY_AFTER,
    }),
  );
