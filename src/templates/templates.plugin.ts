import { migration } from '../database/schema/schema.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill } from '../plugins/plugin.js';

/** Records for new zones, and for zones later (behaviour 28). */
export const TEMPLATES = feature({
  name: 'templates',
  schema: async () => ({
    entities: [(await import('./template.entity.js')).TemplateEntity],
    migrations: [
      migration(
        'ExpandTemplates1764530000000',
        () => import('../database/migrations/1764530000000-expand-templates.js'),
      ),
    ],
  }),
  core: async ({ config: { templates } }) => {
    const { TemplateApplication } = await import('./template-application.js');
    const { TemplatesOptions } = await import('./templates.options.js');
    const { TemplatesService } = await import('./templates.service.js');
    const providers = [
      (await import('./template.repository.js')).TemplateRepository,
      (await import('./template-records.js')).TemplateRecords,
      { provide: TemplatesOptions, useValue: templates },
      TemplatesService,
      TemplateApplication,
    ];
    const { ZoneTemplates } = await import('../zones/zone-templates.js');
    return {
      modules: [moduleOf('Templates', { global: true, providers, exports: [...providers] })],
      ports: [fill(ZoneTemplates, TemplateApplication)],
    };
  },
  api: async () => ({
    modules: [
      moduleOf('TemplatesV1', {
        controllers: [
          (await import('./v1/templates.controller.js')).TemplatesController,
          (await import('./v1/template-application.controller.js')).TemplateApplicationController,
        ],
      }),
    ],
  }),
});
