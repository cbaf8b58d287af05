/** One sample line of the Prometheus format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(?<label>[a-zA-Z_]\w*)="(?<value>(?:[^"\\]|\\.)*)"/g;

/** The samples of a page in the text format of Prometheus; a line that is none throws. */
export function samplesIn(page: string): Sample[] {
  return page
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(sampleOf);
}

function sampleOf(line: string): Sample {
  const { name, labels = '', value } = LINE.exec(line)?.groups ?? {};
  if (name === undefined) throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(({ groups }) => [groups?.label, groups?.value] as const);
  return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
}

/** The sum of all samples of a name that have these labels among theirs. */
export function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
