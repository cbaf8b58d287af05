import { formatNumber } from './report.mjs';

const PANELS = ['create', 'get', 'list of 20'];
const WIDTH = 800;
const LABELS = 280;
const RIGHT = 90;
const ROW = 24;
const PANEL_HEAD = 44;
const AXIS = 34;
const LEGEND = 500;
const FONT = 'font-family="system-ui, sans-serif" font-size="12"';
const COLOURS = { ours: '#0b5cad', floor: '#6b7280', peer: '#b45309', grid: '#e5e7eb', text: '#1f2937' };

/**
 * Requests answered per second, each contestant at its best number of connections, as an SVG. The axis is logarithmic:
 * from the slowest to the fastest it is a factor of a thousand, and a dot, unlike a bar, does not ask for a zero.
 */
export function chartOf(results) {
  const panels = PANELS.map((workload) => ({ workload, rows: bestOf(results, workload) })).filter(
    ({ rows }) => rows.length > 0,
  );
  const rates = panels.flatMap(({ rows }) => rows.flatMap(({ min, max, median }) => [min, max, median]));
  const scale = logScale(rates.filter((rate) => rate > 0));
  const parts = [];
  let top = PANEL_HEAD;
  for (const { workload, rows } of panels) {
    parts.push(panel(workload, rows, top, scale));
    top += PANEL_HEAD + rows.length * ROW + AXIS;
  }
  return document(top, parts);
}

function bestOf(results, workload) {
  const best = new Map();
  for (const result of results.filter((one) => one.workload === workload)) {
    const known = best.get(result.contestant);
    if (known === undefined || result.median > known.median) best.set(result.contestant, result);
  }
  return [...best.values()].sort((left, right) => right.median - left.median);
}

function logScale(rates) {
  const low = Math.floor(Math.log10(Math.min(...rates)));
  const high = Math.ceil(Math.log10(Math.max(...rates)));
  const span = Math.max(1, high - low);
  const place = (rate) => LABELS + ((Math.log10(Math.max(rate, 10 ** low)) - low) / span) * (WIDTH - LABELS - RIGHT);
  return { place, ticks: Array.from({ length: span + 1 }, (_, at) => 10 ** (low + at)) };
}

function panel(workload, rows, top, { place, ticks }) {
  const bottom = top + rows.length * ROW;
  const grid = ticks.map((tick) => {
    const x = place(tick).toFixed(1);
    return (
      `<line x1="${x}" y1="${top - 4}" x2="${x}" y2="${bottom}" stroke="${COLOURS.grid}"/>` +
      text(x, bottom + 16, formatNumber(tick), 'middle', COLOURS.floor)
    );
  });
  const dots = rows.map((result, at) => row(result, top + at * ROW + ROW / 2, place));
  return [text(12, top - 16, workload, 'start', COLOURS.text, 'bold'), ...grid, ...dots].join('\n');
}

function row({ contestant, connections, median, min, max, loadBound }, y, place) {
  const colour = COLOURS[roleOf(contestant)];
  const x = (rate) => place(rate).toFixed(1);
  const value = `${formatNumber(median)}${loadBound ? '*' : ''}`;
  return [
    text(LABELS - 12, y + 4, `${contestant} (${connections})`, 'end', COLOURS.text),
    `<line x1="${x(min)}" y1="${y}" x2="${x(max)}" y2="${y}" stroke="${colour}" stroke-width="2"/>`,
    `<circle cx="${x(median)}" cy="${y}" r="5" fill="${colour}"/>`,
    text(Number(x(max)) + 10, y + 4, value, 'start', COLOURS.text),
  ].join('');
}

function roleOf(contestant) {
  if (contestant.startsWith('Zonewright')) return 'ours';
  return contestant.startsWith('PowerDNS') ? 'peer' : 'floor';
}

function text(x, y, content, anchor, colour, weight = 'normal') {
  const attributes = `x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}" font-weight="${weight}"`;
  return `<text ${attributes}>${escaped(content)}</text>`;
}

function document(height, parts) {
  const title = 'Requests answered per second, median, minimum and maximum of all rounds';
  const legend = [
    ['Zonewright', 'ours'],
    ['floor', 'floor'],
    ['peer', 'peer'],
  ].map(([name, role], at) => {
    const x = LEGEND + at * 100;
    return `<circle cx="${x}" cy="14" r="5" fill="${COLOURS[role]}"/>${text(x + 10, 18, name, 'start', COLOURS.text)}`;
  });
  const note = 'Logarithmic. In brackets: connections, each at its best. *: the load was at its own limit.';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" ${FONT}>`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...legend,
    ...parts,
    text(12, height - 14, note, 'start', COLOURS.floor),
    '</svg>',
    '',
  ].join('\n');
}

function escaped(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
