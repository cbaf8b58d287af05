/**
 * Lets CI run a failed test once more, after the others of its file: over 9,000 tests with real servers on a shared
 * machine, one bad second must not discard a day's work. The summary names each test that needed it, with its error
 * above: it is a bug of the test or of the service. On a developer's machine the first failure counts.
 */
import { jest } from '@jest/globals';

if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true });
