const NUMBER = new Intl.NumberFormat('en-US');

/** One table for each workload: contestants down, connections across, requests answered per second. */
export function serviceTables(results) {
  const workloads = [...new Set(results.map(({ workload }) => workload))];
  return workloads.map((workload) =>
    serviceTable(
      workload,
      results.filter((result) => result.workload === workload),
    ),
  );
}

function serviceTable(workload, results) {
  const connections = [...new Set(results.map((result) => result.connections))];
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const rows = contestants.map((contestant) => [
    contestant,
    ...connections.flatMap((count) => {
      const result = results.find((one) => one.contestant === contestant && one.connections === count);
      return result === undefined ? ['', ''] : [rateCell(result), cpuCell(result)];
    }),
  ]);
  const head = [workload, ...connections.flatMap((count) => [`${count} conn. /s (min–max)`, 'cpu srv/db/load'])];
  return textTable([head, ...rows]);
}

export function textTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => String(cell).padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}

export function formatNumber(value) {
  return value === null || value === undefined ? '' : NUMBER.format(value >= 100 ? Math.round(value) : value);
}

/** `*`: the load was at its own limit, so the server can do more; failed answers do not count as answered. */
export function rateCell({ median, min, max, failed, succeeded, loadBound }) {
  const rate = `${formatNumber(median)}${loadBound ? '*' : ''} (${formatNumber(min)}–${formatNumber(max)})`;
  return failed === 0 ? rate : `${rate}, ${((100 * failed) / (failed + succeeded)).toFixed(1)} % failed`;
}

function cpuCell({ serverCpu, databaseCpu, loadCpu }) {
  return [serverCpu, databaseCpu, loadCpu].map((share) => (share === null ? '–' : share.toFixed(2))).join('/');
}
