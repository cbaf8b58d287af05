import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { documentsIn } from '../support/documents.js';
import { itWith, type Run, run } from '../support/run-program.js';

const FOLDER = 'docs/operating';
const PROMTOOL = { name: 'promtool', needs: { promtool: 'prometheus' } };

interface Dashboard {
  readonly panels: readonly { readonly id: number; readonly title: string; readonly targets?: readonly Query[] }[];
}

interface Query {
  readonly expr: string;
}

const dashboard = JSON.parse(readFileSync(`${FOLDER}/dashboard.json`, 'utf8')) as Dashboard;
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Metric names in the code, with the Prometheus suffixes. */
function shownNames(): Set<string> {
  const names = documentsIn(['src'], /\.ts$/).flatMap(({ text }) =>
    [...text.matchAll(/\bname: '(zonewright_\w+)'/g)].map(([, name = '']) => name),
  );
  return new Set(names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]));
}

function namesIn(text: string): string[] {
  return text.match(/\bzonewright_\w+/g) ?? [];
}

async function promtool(...parameters: string[]): Promise<Run> {
  return run('promtool', parameters);
}

describe('docs/operating', () => {
  it('mentions existing metrics only', () => {
    const shown = shownNames();
    const spoken = [
      ...queries,
      readFileSync(`${FOLDER}/alerts.yml`, 'utf8'),
      readFileSync(`${FOLDER}/metrics.md`, 'utf8'),
    ];
    expect(spoken.flatMap(namesIn).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('lists every metric', () => {
    const listed = new Set(namesIn(readFileSync(`${FOLDER}/metrics.md`, 'utf8')));
    const shown = [...shownNames()].filter((name) => !/_(bucket|sum|count)$/.test(name));
    expect(shown.filter((name) => !listed.has(name))).toEqual([]);
  });

  it('has a dashboard with distinct panels that all have a query', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(queries.length).toBeGreaterThan(15);
  });

  itWith(PROMTOOL)('has alerts and a configuration that promtool finds in order', async () => {
    for (const parameters of [
      ['check', 'rules', `${FOLDER}/alerts.yml`],
      ['check', 'config', `${FOLDER}/prometheus.yml`],
    ])
      expect(await promtool(...parameters)).toMatchObject({ failed: false });
  });

  itWith(PROMTOOL)('has alerts that are raised when they should be, and not before', async () => {
    expect(await promtool('test', 'rules', `${FOLDER}/alerts.test.yml`)).toMatchObject({ failed: false });
  });

  itWith(PROMTOOL)('has a dashboard whose queries promtool can read', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-dashboard-'));
    try {
      const rules = queries.map((query, at) => ({ record: `panel:query:${at}`, expr: withValues(query) }));
      // YAML takes JSON.
      await writeFile(join(directory, 'rules.yml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
      expect(await promtool('check', 'rules', join(directory, 'rules.yml'))).toMatchObject({ failed: false });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

/** As Grafana fills it in. */
function withValues(query: string): string {
  return query.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.+');
}
