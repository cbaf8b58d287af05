import { TestEnvironment } from 'jest-environment-node';
import { endChildren } from './children.js';

/** What jest's own does, and the processes of a test file end with it, whether its tests have passed or not. */
export default class Environment extends TestEnvironment {
  async teardown() {
    await endChildren(this.global);
    await super.teardown();
  }
}

// A worker whose run was killed has nobody to work for, but servers of tests would keep it alive. A listener for `disconnect`
// would do so, too.
if (process.channel !== undefined) setInterval(() => process.connected || process.exit(1), 1000).unref();
