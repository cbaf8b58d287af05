import type { IncomingHttpHeaders } from 'node:http';

/** Of any version that there may be; the first has nothing behind the flags (W3C Trace Context §3.2). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;
const FIRST_VERSION_LENGTH = 55;

/** The id of the trace that a request is a part of, 32 hexadecimal digits; `null` where it names none. */
export function traceIdOf({ traceparent }: IncomingHttpHeaders): string | null {
  if (typeof traceparent !== 'string') return null;
  if (traceparent.startsWith('00') && traceparent.length !== FIRST_VERSION_LENGTH) return null;
  return TRACEPARENT.exec(traceparent)?.[1] ?? null;
}
