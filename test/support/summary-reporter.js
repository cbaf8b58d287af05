/**
 * Says how many tests each project, which is each database, has passed, and which on their second try only, and ends a jest run with
 * `N passed, N failed, N skipped` alone on the last line, the form that CI reads. Lets a run fail in which no test was
 * executed (a name pattern that matches nothing, everything skipped).
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
    // A file that failed to load counts no tests.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    this.#executed = passed + failed;
    // The jest summary follows the other reporters, so the last lines wait for the process exit.
    process.once('exit', () => {
      for (const title of passedOnSecondTry(results)) console.log(`passed on its second try: ${title}`);
      for (const [project, count] of passedByProject(results)) console.log(`${project}: ${count} tests passed`);
      console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    });
  }

  getLastError() {
    if (this.#executed !== 0) return undefined;
    process.stderr.write('No test was executed.\n');
    return new Error('No test was executed.');
  }
}

function passedByProject({ testResults }) {
  const counts = new Map();
  for (const { displayName, numPassingTests } of testResults)
    counts.set(displayName?.name, (counts.get(displayName?.name) ?? 0) + numPassingTests);
  return counts;
}

function passedOnSecondTry({ testResults }) {
  return testResults.flatMap(({ displayName, testResults: tests }) =>
    tests
      .filter(({ status, invocations }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => `${displayName?.name} ${fullName}`),
  );
}
