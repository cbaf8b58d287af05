/**
 * Name servers that react to a NOTIFY like secondaries: they query the primary's SOA and adopt its serial. They hold no
 * zones, so that the measurement covers the service only. Controlled by messages of the parent process.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const [NOTIFY, NOERROR, REFUSED] = [4, 0, 5];
const HEADER = 12;
/** SOA behind two names of one octet. */
const SOA_RDATA = 22;

process.once('message', async ({ primary, ports }) => {
  const servers = [];
  for (const port of ports) servers.push(await StandIn.start(primary, port));
  process.on('message', ({ down, save, load }) => {
    for (const [at, server] of servers.entries()) if (down !== undefined) server.isDown = down.includes(at);
    if (save !== undefined) writeFileSync(save, serialize(servers.map(({ serials }) => serials)));
    if (load !== undefined)
      for (const [at, serials] of deserialize(readFileSync(load)).entries()) servers[at].serials = serials;
    process.send({ has: servers.map(({ serials }) => serials.size) });
  });
  process.send({});
});

class StandIn {
  serials = new Map();
  isDown = false;
  #asking = new Map();
  #id = 0;

  static async start(primary, port) {
    const server = new StandIn();
    server.primary = primary;
    const streams = createServer((stream) => server.#take(stream));
    await once(streams.listen(port, '127.0.0.1'), 'listening');
    server.socket = createSocket('udp4').bind(port, '127.0.0.1');
    await once(server.socket, 'listening');
    server.socket.setRecvBufferSize(4_000_000);
    server.socket.on('message', (octets, from) =>
      server.#receive(octets, (answer) => server.socket.send(answer, from.port, from.address)),
    );
    return server;
  }

  #take(stream) {
    let rest = Buffer.alloc(0);
    stream.on('error', () => undefined);
    stream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (
        let size;
        rest.length >= 2 && rest.length >= 2 + (size = rest.readUInt16BE());
        rest = rest.subarray(2 + size)
      )
        this.#receive(rest.subarray(2, 2 + size), (answer) => stream.write(Buffer.concat([lengthOf(answer), answer])));
    });
  }

  #receive(octets, answer) {
    if (this.isDown) return;
    if (octets[2] & 0x80) this.#learn(octets);
    else if (((octets[2] >> 3) & 15) === NOTIFY) {
      answer(replyTo(octets, NOERROR));
      this.#ask(questionOf(octets));
    } else {
      const serial = this.serials.get(questionOf(octets).toString('latin1'));
      answer(serial === undefined ? replyTo(octets, REFUSED) : replyTo(octets, NOERROR, serial));
    }
  }

  #ask(question) {
    const id = (this.#id = (this.#id + 1) & 0xffff);
    this.#asking.set(id, question);
    const header = Buffer.alloc(HEADER);
    header.writeUInt16BE(id);
    header.writeUInt16BE(1, 4);
    this.socket.send(Buffer.concat([header, question]), this.primary, '127.0.0.1');
  }

  #learn(answer) {
    const question = this.#asking.get(answer.readUInt16BE());
    this.#asking.delete(answer.readUInt16BE());
    if (question === undefined || answer.readUInt16BE(6) === 0) return;
    // Five numbers end the SOA record, and additional records may follow: it is the first answer, by a pointer or a name.
    let at = HEADER + question.length;
    while (answer[at] !== 0 && answer[at] < 0xc0) at += answer[at] + 1;
    at += answer[at] === 0 ? 1 : 2;
    const end = at + 10 + answer.readUInt16BE(at + 8);
    this.serials.set(question.toString('latin1'), answer.readUInt32BE(end - 20));
  }
}

/** Name, type and class. */
function questionOf(octets) {
  let end = HEADER;
  while (octets[end] !== 0) end += octets[end] + 1;
  return Buffer.from(octets.subarray(HEADER, end + 5));
}

function replyTo(octets, code, serial) {
  const question = questionOf(octets);
  const header = Buffer.from(octets.subarray(0, HEADER));
  header[2] |= 0x84;
  header[3] = code;
  header.fill(0, 6);
  if (serial === undefined) return Buffer.concat([header, question]);
  header.writeUInt16BE(1, 6);
  const record = Buffer.alloc(12 + SOA_RDATA);
  record.writeUInt16BE(0xc000 + HEADER);
  question.copy(record, 2, question.length - 4);
  record.writeUInt16BE(SOA_RDATA, 10);
  record.writeUInt32BE(serial, 14);
  return Buffer.concat([header, question, record]);
}

function lengthOf(octets) {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(octets.length);
  return length;
}
