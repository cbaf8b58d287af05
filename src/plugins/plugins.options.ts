import { inSection } from '../config/option.js';
import { integer, list, orEmpty, packageName } from '../config/readers.js';

export const PLUGINS_OPTIONS = inSection('plugins', {
  packages: {
    name: 'packages',
    default: '',
    reader: orEmpty([], list(packageName)),
    meaning: 'packages that add to the service, in this order; a path counts from the folder of this file',
  },
  changeTimeLimit: {
    name: 'change_time_limit_ms',
    default: '500',
    reader: integer(10, 60_000),
    meaning: 'milliseconds that a plugin may take while a change is made, for which others wait on SQLite',
  },
  requestTimeLimit: {
    name: 'request_time_limit',
    default: '10',
    reader: integer(1, 300),
    meaning:
      'seconds that a plugin may take otherwise while a request waits for it, a read, its long work, and its health checks',
  },
  backgroundTimeLimit: {
    name: 'background_time_limit',
    default: '30',
    reader: integer(1, 3600),
    meaning: 'seconds that a change listener may take for what it is given, and a stream of reads of a plugin',
  },
  loopTimeLimit: {
    name: 'loop_time_limit',
    default: '30',
    reader: integer(0, 3600),
    meaning: 'seconds after which a process is ended that computes and answers nobody, with plugins; 0: never',
  },
});
