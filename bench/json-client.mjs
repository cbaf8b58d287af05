import { request } from 'node:http';

/** Sends a request to a service of `startZonewright` over the connections of an agent. Resolves with the response. */
export function callOver(agent, { url, headers }, { method, place, body, type = 'application/json' }) {
  return new Promise((resolve, reject) => {
    const text = body === undefined || type !== 'application/json' ? body : JSON.stringify(body);
    const options = { method, agent, headers: { ...headers, 'Content-Type': type } };
    const sent = request(`${url}${place}`, options, (answer) => {
      let read = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => (read += chunk));
      answer.on('end', () => {
        if (answer.statusCode >= 300) reject(new Error(`${method} ${place}: ${answer.statusCode} ${read}`));
        else resolve(read === '' ? null : JSON.parse(read));
      });
    });
    sent.once('error', reject);
    sent.end(text);
  });
}

/** Runs `work` for each number in the range, with limited concurrency. */
export async function atOnce(connections, [from, to], work) {
  let next = from;
  const run = async () => {
    while (next < to) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, run));
}
