import { definePlugin } from 'zonewright';
import { SWPORT } from './switch-port.js';

export default definePlugin({
  name: 'switch-port',
  zonewright: '^1.0.0',
  recordTypes: () => [SWPORT],
});
