/**
 * A jest runtime that keeps service and package modules between test files of a worker. jest reloads over a thousand
 * modules for each file, which was more than half of the CPU time of `npm test`. Specs and shared test code still load
 * for each file.
 */
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const Runtime = require('jest-runtime').default;

/** The environment of a test file also stays, where environment.js says so: kept modules belong to its context. */
const runtimes = new WeakMap();

class KeptRuntime extends Runtime {
  teardown() {
    if (this._environment.isKept !== true) return super.teardown();

    this.restoreAllMocks();
    this.mockState.clear();
    this.registries.exitIsolated();
    this.registries.mockRegistry.clear();
    this.registries.moduleMockRegistry.clear();
    this.registries.internalModuleRegistry.clear();
    this.#forgetTests();
    this.testMainModule.reset();
    this.fileCache.clear();
    this.transformCache.clear();
    this.jestGlobals.clearJestObjectCache();
    this.loggedReferenceErrors.clear();
    this.testState.state = 'loading';
  }

  #forgetTests() {
    const { esModuleRegistry, moduleRegistry } = this.registries;
    const isOurs = keptFiles(this._config.rootDir);
    for (const [key, { status }] of esModuleRegistry)
      if (status !== 'evaluated' || !isOurs(key)) esModuleRegistry.delete(key);
    for (const [file, { loaded }] of moduleRegistry)
      if (!loaded || !isOurs(pathToFileURL(file).href)) moduleRegistry.delete(file);
  }
}

/** Files of the service and of packages, and modules of Node.js. */
function keptFiles(rootDir) {
  const sources = pathToFileURL(path.join(rootDir, 'src/')).href;
  return (key) =>
    key.startsWith('node:') || key.includes('/node_modules/') || (key.startsWith(sources) && !key.endsWith('.spec.ts'));
}

/** jest calls it with `new`, once for each test file. */
function runtimeOf(config, environment, ...others) {
  const kept = runtimes.get(environment) ?? new KeptRuntime(config, environment, ...others);
  runtimes.set(environment, kept);
  return kept;
}

module.exports = Object.setPrototypeOf(runtimeOf, Runtime);
module.exports.default = module.exports;
