import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Says how many tests each project, which is each database, has passed, and ends a jest run with
 * `N passed, N failed, N skipped` alone on the last line, the form that CI reads. Lets a run fail in which no test was
 * executed (a name pattern that matches nothing, everything skipped).
 *
 * In CI, scripts/test.mjs runs failed files again if they are few. A run leaves the sums of its other files in the file
 * ZONEWRIGHT_OUTCOME; the next one adds them, and the last names each test that has passed only when it ran again.
 */
const MOST_FAILED_FILES = 10;

export default class SummaryReporter {
  #watching;
  #executed = null;

  constructor(globalConfig) {
    this.#watching = globalConfig.watch || globalConfig.watchAll;
  }

  onRunComplete(_contexts, { testResults }) {
    if (this.#watching) return;
    const { ZONEWRIGHT_OUTCOME: next, ZONEWRIGHT_FORMER_OUTCOME: former } = process.env;
    const before = former ? JSON.parse(readFileSync(former, 'utf8')) : { sums: {}, failedTests: [] };
    const failedTests = titlesOf(testResults, 'failed');
    const failedFiles = testResults.filter(hasFailed).length;
    const sums = sumsOf(testResults, before.sums);
    const { passed, failed, skipped } = totalOf(sums);
    this.#executed = passed + failed;
    if (next && failedFiles > 0 && failedFiles <= MOST_FAILED_FILES) {
      const others = sumsOf(
        testResults.filter((file) => !hasFailed(file)),
        before.sums,
      );
      const all = [...new Set([...before.failedTests, ...failedTests])];
      writeFileSync(next, JSON.stringify({ sums: others, failedTests: all }));
      return;
    }
    // The jest summary follows the other reporters, so the last lines wait for the process exit.
    process.once('exit', () => {
      for (const title of before.failedTests)
        if (!failedTests.includes(title)) console.log(`passed when it ran again: ${title}`);
      for (const [project, sum] of Object.entries(sums)) console.log(`${project}: ${sum.passed} tests passed`);
      console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    });
  }

  getLastError() {
    if (this.#executed !== 0) return undefined;
    process.stderr.write('No test was executed.\n');
    return new Error('No test was executed.');
  }
}

// A file that failed to load counts no tests.
const hasFailed = ({ numFailingTests, testExecError }) => numFailingTests > 0 || Boolean(testExecError);

/** @returns what each project has passed, failed and skipped */
function sumsOf(files, before = {}) {
  const sums = Object.fromEntries(Object.entries(before).map(([project, sum]) => [project, { ...sum }]));
  for (const file of files) {
    const sum = (sums[file.displayName?.name] ??= { passed: 0, failed: 0, skipped: 0 });
    sum.passed += file.numPassingTests;
    sum.failed += file.numFailingTests + (file.testExecError && file.numFailingTests === 0 ? 1 : 0);
    sum.skipped += file.numPendingTests + file.numTodoTests;
  }
  return sums;
}

function totalOf(sums) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const sum of Object.values(sums)) for (const name of Object.keys(total)) total[name] += sum[name];
  return total;
}

function titlesOf(files, wanted) {
  return files.flatMap(({ displayName, testResults }) =>
    testResults.filter(({ status }) => status === wanted).map(({ fullName }) => `${displayName?.name} ${fullName}`),
  );
}
