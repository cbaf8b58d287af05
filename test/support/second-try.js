/**
 * Lets CI retry a failed test after the other tests of its file: over 9,000 tests with real servers share one machine.
 * The summary names each retried test with its error: a bug of the test or of the service. Without CI the first failure
 * counts.
 */
import { jest } from '@jest/globals';

if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
