import { inSection, option } from '../config/option.js';
import { boolean } from '../config/readers.js';

export const CONSOLE_OPTIONS = inSection('console', {
  enabled: option(boolean, 'True', 'serve the console at /console, and sessions for it'),
});
