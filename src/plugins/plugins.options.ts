import { inSection, option } from '../config/option.js';
import { integer, list, orEmpty, packageName } from '../config/readers.js';

export const PLUGINS_OPTIONS = inSection('plugins', {
  packages: option(
    orEmpty([], list(packageName)),
    '',
    'packages that add to the service, in this order; a path counts from the folder of this file',
  ),
  changeTimeLimit: option(
    integer(10, 60_000),
    '500',
    'milliseconds that a plugin may take while a change is made, for which others wait on SQLite',
    { name: 'change_time_limit_ms' },
  ),
  requestTimeLimit: option(
    integer(1, 300),
    '10',
    'seconds that a plugin may take otherwise while a request waits for it, a read, its long work, and its health checks',
  ),
  backgroundTimeLimit: option(
    integer(1, 3600),
    '30',
    'seconds that a change listener may take for what it is given, and a stream of reads of a plugin',
  ),
  loopTimeLimit: option(
    integer(0, 3600),
    '30',
    'seconds after which a process with plugins that computes without answering is ended; 0: never',
  ),
});
