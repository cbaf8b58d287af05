/** Floor: bare node:http, no database. */
import { listen } from './bare-http.mjs';
import { isRecordBody, recordAnswer } from './record-body.mjs';

const HELLO = { status: 200, body: { hello: 'world' } };

listen(Number(process.argv[2]), (method, _path, body) => {
  if (method === 'GET') return HELLO;
  return isRecordBody(body) ? { status: 200, body: recordAnswer(body) } : { status: 400, body: {} };
});
