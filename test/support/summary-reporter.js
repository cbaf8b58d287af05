/**
 * Ends a jest run with `N passed, N failed, N skipped` alone on the last line, the form that CI reads, and lets a run
 * fail in which no test was executed (a name pattern that matches nothing, everything skipped).
 */
export default class SummaryReporter {
  #watching;
  #executed = null;

  constructor(globalConfig) {
    this.#watching = globalConfig.watch || globalConfig.watchAll;
  }

  onRunComplete(_contexts, results) {
    if (this.#watching) return;
    const passed = results.numPassedTests;
    // A file that could not even be loaded counts no test of its own.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    this.#executed = passed + failed;
    // jest's own summary comes after the other reporters, so the last line has to wait for the end of the process.
    process.once('exit', () => console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`));
  }

  getLastError() {
    if (this.#executed !== 0) return undefined;
    process.stderr.write('No test was executed.\n');
    return new Error('No test was executed.');
  }
}
