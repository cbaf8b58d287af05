import { inSection, valuesOf } from '../../config/option.js';
import { integer } from '../../config/readers.js';

export const SESSION_OPTIONS = inSection('console', {
  idleMinutes: {
    name: 'session_idle_minutes',
    default: '30',
    reader: integer(1, 1440),
    meaning: 'minutes without a request after which a session ends',
  },
  longestHours: {
    name: 'session_hours',
    default: '12',
    reader: integer(1, 720),
    meaning: 'hours after which a session ends, however much it is used',
  },
});

export abstract class SessionOptions extends valuesOf(SESSION_OPTIONS) {}
