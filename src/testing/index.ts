/** Public API for tests of plugins, `zonewright/testing`. Works with node:test, jest, vitest and mocha. */
export { describeType, type TestRunner, type TypeSample, type TypeSamples } from './describe-type.js';
export { type TestAnswer, type TestCaller, type TestClient, type TestRequest } from './test-client.js';
export { startTestService, type TestService, type TestServiceOptions } from './test-service.js';
export type { TestConfig, TestOption } from './test-config.js';
