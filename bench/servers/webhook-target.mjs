/**
 * A webhook target that accepts every call: `node webhook-target.mjs <key> <certificate>`, as a child process. It
 * reports its port, and answers each message with the number of calls and the times of the first and the last.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { performance } from 'node:perf_hooks';

const [key, cert] = await Promise.all(process.argv.slice(2).map((file) => readFile(file)));
let [count, firstAt, lastAt] = [0, null, null];
const server = createServer({ key, cert }, (request, response) => {
  request.resume().once('end', () => {
    count += 1;
    lastAt = performance.timeOrigin + performance.now();
    firstAt ??= lastAt;
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => process.send({ count, firstAt, lastAt }));
