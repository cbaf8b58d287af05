import { escaped, svgDocument } from './svg.mjs';

const WIDTH = 1200;
const ROW = 17;
const HEAD = 48;
const FOOT = 28;
/** Of the whole: what is narrower than a pixel shows nothing. */
const LEAST_SHARE = 0.001;
const LETTER = 6.5;
const LEAST_LETTERS = 3;

/** Light enough for dark letters, whatever the page behind them. */
const ROLES = [
  { role: 'ours', label: 'Zonewright', colour: '#7db3ea', owns: /^src/ },
  { role: 'database', label: 'SQLite', colour: '#f0a860', owns: /^better-sqlite3$/ },
  { role: 'nest', label: 'Nest', colour: '#e58fa3', owns: /^@nestjs\// },
  { role: 'express', label: 'Express', colour: '#d9c36a', owns: /^express/ },
  { role: 'node', label: 'Node.js', colour: '#8fca92', owns: /^(node|kernel writes)/ },
  { role: 'other', label: 'others', colour: '#b6bcc6', owns: /^/ },
];
const STYLE = [
  '.page{fill:#ffffff}',
  '.words{fill:#1f2937}',
  '.frame text,.legend{fill:#111827}',
  '@media(prefers-color-scheme:dark){.page{fill:#111827}.words{fill:#e5e7eb}}',
  ...ROLES.map(({ role, colour }) => `.${role} rect{fill:${colour}}`),
].join('');

/** A flame graph: what a function called stands on it, and is as wide as its share of the samples. */
export function flameGraphOf(frames, title) {
  const placed = [...place(frames, { depth: 0, left: 0 }, frames.total)];
  const rows = 1 + Math.max(...placed.map(({ depth }) => depth));
  const height = HEAD + rows * ROW + FOOT;
  const note = `${frames.total} samples. Point at a frame for its function, file and share; the widest stand left.`;
  const look = 'font-family="system-ui, sans-serif" font-size="11"';
  return svgDocument({ width: WIDTH, height, title, look }, [
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${WIDTH}" height="${height}"/>`,
    `<text class="words" x="8" y="18" font-size="13" font-weight="bold">${escaped(title)}</text>`,
    ...ROLES.map(legend),
    ...placed.map((one) => drawn(one, height - FOOT - (one.depth + 1) * ROW)),
    `<text class="words" x="8" y="${height - 10}">${note}</text>`,
  ]);
}

/** Every frame that is wide enough, with where it stands: `left` and `share` are parts of the whole. */
function* place(frame, { depth, left }, samples) {
  const share = frame.total / samples;
  if (share < LEAST_SHARE) return;
  yield { frame, depth, left, share };
  let childLeft = left;
  for (const child of [...frame.children.values()].sort((one, other) => other.total - one.total)) {
    yield* place(child, { depth: depth + 1, left: childLeft }, samples);
    childLeft += child.total / samples;
  }
}

function drawn({ frame: { name, file, who }, left, share }, y) {
  const { role } = ROLES.find(({ owns }) => owns.test(who));
  const x = (left * WIDTH).toFixed(1);
  const width = (share * WIDTH).toFixed(1);
  const title = [name, file, `${(100 * share).toFixed(1)} %`].filter((part) => part !== '').join(', ');
  const box = `<rect x="${x}" y="${y}" width="${width}" height="${ROW - 1}"/>`;
  return `<g class="frame ${role}"><title>${escaped(title)}</title>${box}${label(name, Number(x), y, width)}</g>`;
}

function label(name, x, y, width) {
  const letters = Math.floor((width - 4) / LETTER);
  if (letters < LEAST_LETTERS) return '';
  const shown = name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
  return `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escaped(shown)}</text>`;
}

function legend({ role, label: text }, at) {
  const x = 8 + at * 90;
  const box = `<rect x="${x}" y="27" width="84" height="15"/>`;
  return `<g class="${role}">${box}<text class="legend" x="${x + 4}" y="38">${text}</text></g>`;
}
