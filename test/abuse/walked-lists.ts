import type { Target } from './attack.js';
import { inForm, IS_LONG } from './form.js';
import { requestsForAllLists } from './listed-paths.js';
import { TOKENS } from './many-rows.js';

interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ADMIN = { 'X-Auth-Token': TOKENS.admin.token };
const MEMBER = { 'X-Auth-Token': TOKENS.member.token };
const EVERYBODYS = { ...ADMIN, 'X-Auth-All-Projects': 'true' };
/** Zones, record sets, tokens and webhooks of all tenants use other queries than those of one tenant. */
const IN_OTHER_WAYS: readonly Question[] = [
  ...[
    '/v2/zones?sort_key=name',
    '/v2/recordsets?data=*7*mail7*',
    '/v2/zones/tasks/exports?message=*7*q*',
    '/v1/tokens',
    '/v1/webhooks',
  ].map((path) => ({ path, headers: EVERYBODYS })),
  { path: '/v1/tokens', headers: MEMBER },
];
/** Event streams do not end: they send this when they have no more events. */
const AT_ITS_END = ': still here';
const NOBODYS_ZONE = '01900000-0000-7000-8000-eeeeeeeeeeee';
const EVENTS = ['/v1/events?since=0', `/v1/events?since=0&domain=${NOBODYS_ZONE}`];
/** Octets to read from a stream. */
const MOST_OF_STREAM = inForm(5_000_000, 50_000_000);

/** Requests all lists sequentially. */
export async function walkLists(target: Target): Promise<void> {
  const took: [milliseconds: number, path: string][] = [];
  const lists = requestsForAllLists(IS_LONG).map((path) => ({ path, headers: ADMIN }));
  for (const question of [...lists, ...IN_OTHER_WAYS]) await timed(target, question, took, readAll);
  for (const path of EVENTS) await timed(target, { path, headers: ADMIN }, took, readStream);
  took.sort(([one], [other]) => other - one);
  target.note({ requests: took.length, longest: took.slice(0, inForm(5, 20)) });
}

async function timed(
  { url, signal, must }: Target,
  { path, headers }: Question,
  took: [milliseconds: number, path: string][],
  read: (answer: Response) => Promise<number>,
): Promise<void> {
  if (signal.aborted) return;
  const start = performance.now();
  const answer = await fetch(new URL(path, url), { headers, signal });
  const length = await read(answer);
  took.push([Math.round(performance.now() - start), path]);
  must(answer.status === 200, `${path} was answered ${answer.status} in ${length} octets`);
}

async function readAll(answer: Response): Promise<number> {
  return (await answer.arrayBuffer()).byteLength;
}

/** As much of it as is enough. */
async function readStream({ body }: Response): Promise<number> {
  let length = 0;
  for await (const piece of body ?? []) {
    const octets = piece as Uint8Array;
    length += octets.length;
    if (length > MOST_OF_STREAM || Buffer.from(octets).includes(AT_ITS_END)) break;
  }
  return length;
}
