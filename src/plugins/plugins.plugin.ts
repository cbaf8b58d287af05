import { definePlugin } from './plugin.js';

/** What is remembered of plugins of other teams. */
export const PLUGINS = definePlugin({
  name: 'plugins',
  zonewright: '*',
  schema: () => import('./plugins.schema.js'),
});
