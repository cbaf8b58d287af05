import { changes, duration, number } from './numbers.js';

/** The texts of the check, the publication and applied changes. */
export const englishCheck = {
  heading: 'Check',
  well: 'No problems found.',
  errors: 'Errors',
  errorsHint: 'Name servers will reject the zone until these are fixed.',
  warnings: 'Warnings',
  warningsHint: 'The zone loads, but probably does not work as intended.',
  columns: { name: 'Name', type: 'Type', finding: 'Finding', records: 'Records' },
  show: (name: string, type: string) => `Show records ${name} ${type}`,
  showShort: 'Show',
};

export const englishLiveCheck = {
  heading: 'Live check',
  start: 'Check live',
  hint: 'Asks the parent zone, the name servers and the targets of this zone now. It takes up to 20 seconds.',
  running: 'Checking the live DNS…',
  done: (findings: number, queries: number) => {
    const found =
      findings === 0 ? 'No problems found' : `${number.format(findings)} ${findings === 1 ? 'finding' : 'findings'}`;
    return `${found} with ${number.format(queries)} queries. Checked`;
  },
  more: (shown: number) => `The first ${number.format(shown)} are shown.`,
  sentence: (message: string, test: string | null) => (test === null ? message : `${message} (Zonemaster: ${test})`),
  errors: 'Live errors',
  errorsHint: 'Some or all users are affected, or will be.',
  warnings: 'Live warnings',
  warningsHint: 'The zone works, but not as intended.',
  notices: 'Live notices',
  noticesHint: 'These answers are unknown or unusual.',
};

export const englishApplied = {
  done: (n: number, serial: number) => `Applied ${changes(n)}, serial ${serial}`,
  undo: 'Undo',
  progress: 'Name servers',
  servers: (current: number, all: number) => `live on ${current} of ${all}`,
  everywhere: 'live everywhere',
  everywhereIn: (seconds: string) => `live everywhere in ${seconds}`,
  seconds: (seconds: number) => (seconds < 60 ? `${seconds.toFixed(1)} s` : duration(Math.round(seconds))),
  waiting: 'waiting',
  more: (n: number) => `and ${number.format(n)} more`,
  undoOf: (n: number, serial: number) => `the ${n === 1 ? 'change' : changes(n)} in serial ${serial}`,
  tooOld: 'This change is too old to undo here. Undo it under Changes.',
};

export const englishPublication = {
  heading: 'Publication',
  list: 'Name servers',
  off: 'No name servers are configured, so the publication state is unknown.',
  all: (serial: number) => `Every name server has the current serial, ${serial}.`,
  notAll: (serial: number, current: number, all: number) =>
    `${current} of ${all} name servers have the current serial, ${serial}.`,
  facts: {
    serial: 'Serial',
    since: 'Serial since',
    behind: 'Behind by',
    behindSince: 'Behind since',
    unreachableSince: 'Unreachable since',
    error: 'Last error',
  },
  changes: (n: number, isMore: boolean) => (isMore ? `more than ${changes(n - 1)}` : changes(n)),
  states: {
    current: 'Up to date',
    inconsistent: 'Answers differ',
    behind: 'Behind',
    unreachable: 'Unreachable',
    unknown: 'Not checked yet',
  },
  never: 'never',
};
