import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../http/v1/api-docs.js';

export class HealthDto {
  @ApiProperty({ enum: ['ok'] })
  status!: 'ok';
}

export const ApiHealth = (): ClassDecorator => applyDecorators(ApiTags('health'));

export const ApiAlive = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({ summary: 'Whether the process is alive', description: 'Asks nobody else, the database included.' }),
    ApiOkResponse({ type: HealthDto }),
    ApiErrors('unsupported_accept'),
  );

export const ApiReady = (): MethodDecorator =>
  applyDecorators(
    ApiOperation({
      summary: 'Whether requests are served',
      description:
        'Not while the service stops, nor while the database refuses reads or changes or its schema is behind.',
    }),
    ApiOkResponse({ type: HealthDto }),
    ApiErrors('unsupported_accept', 'unavailable'),
  );
