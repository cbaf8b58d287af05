import { availableParallelism } from 'node:os';

/** jest on native ES modules; see docs/adr for why swc and not ts-jest. @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  reporters: ['default', '<rootDir>/test/support/summary-reporter.js'],
  // Two keep two cores busy, although jest would leave one of them to its parent process; half of a larger machine.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // The vm modules of a finished test file stay in memory: a worker that has grown is replaced.
  workerIdleMemoryLimit: '512MB',
  testTimeout: 30_000,
};
