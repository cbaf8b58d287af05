import { definePlugin } from 'zonewright';
import { SWPORT } from './switch-port.js';

export default definePlugin({
  name: 'switch-port',
  zonewright: '^0.1.0',
  recordTypes: () => [SWPORT],
});
