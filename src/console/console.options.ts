import { inSection } from '../config/option.js';
import { boolean } from '../config/readers.js';

export const CONSOLE_OPTIONS = inSection('console', {
  enabled: {
    name: 'enabled',
    default: 'True',
    reader: boolean,
    meaning: 'serve the console at /console, and sessions for it',
  },
});
