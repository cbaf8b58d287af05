import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Result = 'pass' | 'fail' | 'skip';
/** By the name of the test, below `designate_tempest_plugin.tests`. */
export type Results = Readonly<Record<string, Result>>;

const RESULT: Readonly<Record<string, Result>> = { ok: 'pass', FAILED: 'fail', SKIPPED: 'skip' };
/** `{0} designate_tempest_plugin.tests.api.v2.test_zones.ZonesTest.test_create [0.123s] ... ok` */
const LINE =
  /^\{\d+\} (?:designate_tempest_plugin\.tests\.)?(?<name>setUpClass \(\S+\)|[\w.]+)(?:\[[^\]]*\])?(?: \[[\d.]+s\])? \.\.\. (?<result>ok|FAILED|SKIPPED)/gm;
/** Names that come from a class that could not be set up: `setUpClass (designate_tempest_plugin.tests.…)`. */
const SET_UP = /^setUpClass \((?:designate_tempest_plugin\.tests\.)?(.*)\)$/;

/** Characters. */
const SHOWN_TRACE = 1000;
const ORIGINAL = resolve(import.meta.dirname, '../../openstack/tempest/original.json');

/** Parses the results from the tempest output. */
export function readResults(printed: string): Results {
  const found = [...printed.matchAll(LINE)].map(({ groups }) => {
    const { name = '', result = '' } = groups ?? {};
    return [name.replace(SET_UP, '$1.setUpClass'), RESULT[result] ?? 'fail'] as const;
  });
  return Object.fromEntries(found);
}

/** Results of Designate 15.0.2 with BIND and the same packages. */
function originalResults(): Results {
  return (JSON.parse(readFileSync(ORIGINAL, 'utf8')) as { tests: Results }).tests;
}

/** The end of the trace of each failed test. */
export function readFailures(printed: string): Readonly<Record<string, string>> {
  const blocks = printed.split(/^(?=\{\d+\} )/m).filter((block) => / \.\.\. FAILED$/m.test(block));
  return Object.fromEntries(
    blocks.map((block) => [
      Object.keys(readResults(block))[0] ?? '',
      /^Captured traceback:\n~+\n(.*?)\s*(?=^Captured |$(?![^]))/ms.exec(block)?.[1]?.slice(-SHOWN_TRACE) ?? '',
    ]),
  );
}

/** A table of passed, failed and skipped tests for each class, next to the original results. */
export function summaryByClass(results: Results): string {
  const original = originalResults();
  const classes = [...new Set([...Object.keys(results), ...Object.keys(original)].map(classOf))].sort();
  const row = (name: string, own: Results, theirs: Results): string =>
    `| ${name} | ${countsOf(own)} | ${countsOf(theirs)} |`;
  const rows = classes.map((name) => row(`\`${name}\``, only(results, name), only(original, name)));
  const head = ['| class | Zonewright: passed, failed, skipped | Designate 15.0.2 |', '| --- | --- | --- |'];
  return [...head, ...rows, row('**all**', results, original)].join('\n');
}

function classOf(test: string): string {
  return test.slice(0, test.lastIndexOf('.'));
}

function only(results: Results, className: string): Results {
  return Object.fromEntries(Object.entries(results).filter(([test]) => classOf(test) === className));
}

function countsOf(results: Results): string {
  const all = Object.values(results);
  return (['pass', 'fail', 'skip'] as const)
    .map((wanted) => all.filter((result) => result === wanted).length)
    .join(', ');
}
