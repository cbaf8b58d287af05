import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestDomain } from './domain.js';

/** A comparison whose response has begun and stays unread. Retries temporary refusals. */
export async function startComparison(url: string, zone: TestDomain, file: string): Promise<IncomingMessage> {
  for (;;) {
    const answer = await sendComparison(url, zone, file);
    if (answer.statusCode === 200) return answer;
    const refusal = await text(answer);
    if (answer.statusCode !== 503) throw new Error(`expected 200, got ${String(answer.statusCode)}: ${refusal}`);
  }
}

function sendComparison(url: string, { id }: TestDomain, file: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Auth-Project-ID': 'tenant-a', 'Content-Type': 'text/dns' };
    const sent = request(
      `${url}/v1/domains/${id}/import?dry_run=true&diff=true`,
      { method: 'POST', headers, agent: false },
      (answer) => {
        answer.on('error', () => undefined);
        resolve(answer);
      },
    );
    sent.once('error', reject).end(file);
  });
}
