import { Histogram, secondsSince } from '../observability/histogram.js';

/** In octets, unpacked: whoever answers with more is not what was asked. */
const LONGEST_ANSWER = 1_048_576;

const DURATION = new Histogram({
  name: 'zonewright_identity_provider_duration_seconds',
  help: 'How long Keystone or the issuer of JWTs took to answer.',
  labels: ['provider', 'request', 'result'],
});

/** A request to whoever knows whose credential something is. */
export interface Question {
  readonly provider: 'keystone' | 'issuer';
  /** What is asked for, in one word, for the metrics. */
  readonly request: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends connecting, asking and reading together. */
  readonly signal: AbortSignal;
}

export interface ProviderAnswer {
  readonly status: number;
  /** `undefined` for what is no JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/**
 * Asks, and follows nobody elsewhere.
 * @throws Error when no whole answer comes, or too long a one; `reasonOf` has the words
 */
export async function askProvider(question: Question): Promise<ProviderAnswer> {
  const { provider, request, signal } = question;
  const since = performance.now();
  let result = 'unanswered';
  try {
    // A connection that was kept may have been closed in this very moment, which a second attempt does not meet.
    const asked = send(question).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return send(question);
    });
    const answer = await endedBy(signal, asked);
    result = 'answered';
    return answer;
  } finally {
    DURATION.of(provider, request, result).observe(secondsSince(since));
  }
}

/** What `fetch` throws says little itself; its cause has the system's word. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Whatever becomes of the connection, whoever waits is told in time: `fetch` is not relied on to end with its signal. */
async function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let giveUp = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    // A signal that times out says so with an Error.
    giveUp = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', giveUp);
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function send({ url, method = 'GET', headers = {}, body, signal }: Question): Promise<ProviderAnswer> {
  const sent = body === undefined ? {} : { body };
  const asked = { Accept: 'application/json', ...headers };
  const response = await fetch(url, { method, headers: asked, ...sent, redirect: 'error', signal });
  return { status: response.status, body: jsonOf(await textOf(response)), headers: response.headers };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) throw new Error(`the answer is longer than ${LONGEST_ANSWER} octets`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
