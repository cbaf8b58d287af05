import { TestEnvironment } from 'jest-environment-node';
import { endChildren } from './children.js';

/**
 * The jest environment, which also ends the processes of a test file after passed and failed tests. A worker has one
 * for all files of a project, so that kept-runtime.cjs can keep shared modules.
 */
class Environment extends TestEnvironment {
  isKept = false;

  async teardown() {
    await endChildren(this.global);
    await super.teardown();
  }
}

class KeptEnvironment extends Environment {
  isKept = true;
  #exit = this.global.process.exit;
  #variables = { ...this.global.process.env };
  #symbols = new Set(Object.getOwnPropertySymbols(this.global));

  /** Leaves the context as the next test file expects to find it. */
  async teardown() {
    await endChildren(this.global);
    this.fakeTimersModern.useRealTimers();
    const { process } = this.global;
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    // jest's own: handlers of events, how often a test is tried, matchers.
    for (const symbol of Object.getOwnPropertySymbols(this.global))
      if (!this.#symbols.has(symbol)) delete this.global[symbol];
  }
}

const kept = new Map();

/** jest calls it with `new`. In watch mode files may have changed since they were loaded. */
export default function environmentOf(config, context) {
  const { globalConfig, projectConfig } = config;
  if (globalConfig.watch || globalConfig.watchAll || globalConfig.collectCoverage)
    return new Environment(config, context);
  const environment = kept.get(projectConfig.id) ?? new KeptEnvironment(config, context);
  kept.set(projectConfig.id, environment);
  return environment;
}

// A worker whose run was killed must exit, but test servers would keep it alive. A `disconnect` listener would keep it
// alive too.
if (process.channel !== undefined) setInterval(() => process.connected || process.exit(1), 1000).unref();
