import type { ClientRequest, IncomingMessage } from 'node:http';
import { TargetFault } from './target-fault.js';

/** What a target has answered. */
export interface TargetAnswer {
  readonly status: number;
  /** Seconds that it asks for; `null`: it asks for none. */
  readonly retryAfter: number | null;
}

/** Octets of an answer's body that are read at most; none of them is kept. */
const MOST_READ = 4096;
/** Answers that only announce another one (RFC 9110 §15.2): each is parsed, and they could come as fast as the line is. */
const MOST_ANNOUNCEMENTS = 10;

/**
 * Sends a request, and is over with its answer, with the end of its connection, or with the signal, whichever is first. Of
 * some ends Node tells by `close` alone, and an answer that switches protocols is no `response`.
 * @throws what has ended it
 */
export async function exchange(call: ClientRequest, body: string, signal: AbortSignal): Promise<TargetAnswer> {
  let giveUp = (): void => undefined;
  try {
    return await new Promise<TargetAnswer>((resolve, reject) => {
      // The error says why the call ended.
      giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp);
      if (signal.aborted) giveUp();
      const answered = ({ statusCode, headers }: IncomingMessage): void =>
        resolve({ status: statusCode ?? 0, retryAfter: secondsOf(headers['retry-after']) });
      call.on('error', reject);
      call.on('close', () => reject(new Error('the connection was closed')));
      call.on('upgrade', (answer, socket) => {
        // All other listeners have been removed.
        socket.on('error', () => undefined).destroy();
        answered(answer);
      });
      refuseManyAnnouncements(call, reject);
      call.on('response', (answer) => readSome(answer, answered, reject));
      call.end(body);
    });
  } finally {
    signal.removeEventListener('abort', giveUp);
    // Discards what has not been read.
    call.destroy();
  }
}

function refuseManyAnnouncements(call: ClientRequest, refuse: (fault: TargetFault) => void): void {
  let count = 0;
  call.on('information', () => {
    count += 1;
    if (count > MOST_ANNOUNCEMENTS) refuse(new TargetFault('failed', 'it sends too many informational answers'));
  });
}

/** Reads no more than is worth it; what comes behind is cut off. */
function readSome(
  answer: IncomingMessage,
  done: (answer: IncomingMessage) => void,
  fail: (error: Error) => void,
): void {
  let octets = 0;
  answer.on('data', (chunk: Buffer) => {
    octets += chunk.length;
    if (octets >= MOST_READ) done(answer);
  });
  answer.on('end', () => done(answer));
  answer.on('error', fail);
}

/** RFC 9110 §10.2.3; dates are read as well. */
function secondsOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}
