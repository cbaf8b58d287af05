/** A minimal HTTP server on node:http, shared by the two floors without a framework. */
import { createServer } from 'node:http';

/** @param answer takes method, path and parsed body, and returns or promises `{ status, body }` */
export function listen(port, answer) {
  createServer((request, response) => {
    if (request.method !== 'POST') return void respond(response, answer(request.method, request.url, undefined));
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => (text += piece));
    request.on('end', () => void respond(response, answerText(text, request, answer)));
  }).listen(port, '127.0.0.1');
}

async function answerText(text, request, answer) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return { status: 400, body: {} };
  }
  return answer(request.method, request.url, body);
}

async function respond(response, promised) {
  const { status, body } = await promised;
  const json = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
  response.end(json);
}
