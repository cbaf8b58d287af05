import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam } from '../../http/openapi/decorators.js';
import { ApiV2Body, ApiV2Errors } from '../../http/v2/api-docs.js';
import { ProjectQuotaDto } from './dto/project-quota.dto.js';

const ApiProjectId = () => ApiParam({ name: 'project_id', type: String, description: '1 to 255 characters.' });

export const ApiGetOwnQuota = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get the limits of the project that the caller acts for' }),
    ApiOkResponse({ type: ProjectQuotaDto }),
  );

export const ApiGetProjectQuota = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Get the limits of a project',
      description: "Another project's for admins who act for it or for all projects.",
    }),
    ApiProjectId(),
    ApiOkResponse({ type: ProjectQuotaDto }),
    ApiV2Errors('invalid_object'),
  );

export const ApiChangeProjectQuota = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Change limits of a project',
      description: 'The named limits change, all or none; the others stay. A limit below the use only stops growth.',
    }),
    ApiProjectId(),
    ApiOkResponse({ type: ProjectQuotaDto }),
    ApiV2Body(),
  );

export const ApiResetProjectQuota = () =>
  applyDecorators(
    ApiOperation({ summary: 'Reset a project to the default limits' }),
    ApiProjectId(),
    ApiNoContentResponse({ description: 'The defaults apply again.' }),
    ApiV2Errors('invalid_object'),
  );
