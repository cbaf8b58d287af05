/** Floor: Express as it comes, no database. */
import express from 'express';
import { isRecordBody, recordAnswer } from './record-body.mjs';

const app = express();
app.use(express.json());
app.get('/', (_request, response) => {
  response.json({ hello: 'world' });
});
app.post('/', ({ body }, response) => {
  if (!isRecordBody(body)) return void response.status(400).json({});
  response.json(recordAnswer(body));
});
app.listen(Number(process.argv[2]), '127.0.0.1');
