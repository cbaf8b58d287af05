import { Histogram, secondsSince } from '../observability/metrics.js';

/** Octets after decompression. A larger answer is not from a Keystone server or issuer. */
const LONGEST_ANSWER = 1_048_576;

const DURATION = new Histogram({
  name: 'zonewright_identity_provider_duration_seconds',
  help: 'How long Keystone or the issuer of JWTs took to answer.',
  labels: ['provider', 'request', 'result'],
});

export interface Question {
  readonly provider: 'keystone' | 'issuer';
  /** One word, used as a metric label. */
  readonly request: string;
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts connecting, sending and reading. */
  readonly signal: AbortSignal;
}

export interface ProviderAnswer {
  readonly status: number;
  /** `undefined` if not JSON. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Does not follow redirects. @throws Error for an incomplete or too long answer; use `reasonOf` for its message */
export async function askProvider(question: Question): Promise<ProviderAnswer> {
  const { provider, request, signal } = question;
  const since = performance.now();
  let result = 'unanswered';
  try {
    // The server may just have closed a kept-alive connection, so try again.
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

/** The cause of a `fetch` error has the system error message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Rejects on abort even if `fetch` does not. */
async function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let giveUp = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    // A timeout signal has an Error as its reason.
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
