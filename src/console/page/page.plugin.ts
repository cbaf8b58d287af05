import { feature, moduleOf } from '../../plugins/feature.js';

/** Behaviour 1.13. */
export const CONSOLE_PAGE = feature({
  name: 'console-page',
  api: async ({ config }) => {
    if (!config.console.enabled) return {};
    const module = moduleOf('ConsolePage', {
      controllers: [(await import('./page.controller.js')).PageController],
      providers: [(await import('./built-files.js')).BuiltFiles],
    });
    return { modules: [module] };
  },
});
