import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '../http/openapi/decorators.js';
import { ApiErrors } from '../http/v1/api-docs.js';

export class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
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
        'Not ready while the service stops, while the database refuses reads or changes, and while its schema is not up to date.',
    }),
    ApiOkResponse({ type: HealthDto }),
    ApiErrors('unsupported_accept', 'unavailable'),
  );
