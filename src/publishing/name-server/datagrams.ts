import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { RareWarning } from '../../common/rare-warning.js';
import type { NameServerLimits } from '../publishing.options.js';
import type { Admission, Query } from './admission.js';
import type { Answers } from './answers.js';
import { clientAt } from './client.js';

/** What the kernel keeps of a burst, in octets, as far as it is allowed to. */
const RECEIVE_BUFFER = 1024 * 1024;

/** The UDP side of the name server. What cannot be answered at once is dropped: its sender asks again. */
export class Datagrams {
  readonly socket: Socket;
  private underWay = 0;
  private readonly gone = new AbortController();
  private readonly tooMany = new RareWarning();
  private readonly trouble = new RareWarning();

  constructor(
    private readonly admission: Admission,
    private readonly answers: Answers,
    private readonly limits: NameServerLimits,
    family: 4 | 6,
  ) {
    this.socket = createSocket({
      type: family === 6 ? 'udp6' : 'udp4',
      recvBufferSize: RECEIVE_BUFFER,
      // Only addresses come here. Node would ask the system's resolver for each, in a turn of its own.
      lookup: (address, _options, callback) => callback(null, address, family),
    });
    this.socket.on('message', (octets, sender) => this.receive(octets, sender));
  }

  /** From then on the socket's errors are logged instead of being the caller's. */
  watch(): void {
    this.socket.on('error', (error) => this.trouble.warn(`UDP of the name server: ${error.message}`));
  }

  close(): void {
    this.gone.abort();
    this.socket.close();
  }

  private receive(octets: Buffer, sender: RemoteInfo): void {
    // Nobody can be answered at port 0.
    if (sender.port === 0) return;
    if (this.underWay >= this.limits.datagrams) {
      this.tooMany.warn(`${this.underWay} datagrams wait for their answers; more are dropped`);
      return;
    }
    const judged = this.admission.judge(octets, clientAt(sender.address, 'udp'));
    if (judged === null) return;
    if (Buffer.isBuffer(judged)) return this.send(judged, sender);
    this.underWay += 1;
    void this.answer(judged, sender).finally(() => (this.underWay -= 1));
  }

  private async answer(query: Query, sender: RemoteInfo): Promise<void> {
    const answer = await this.answers.answer(query, this.gone.signal);
    if (Buffer.isBuffer(answer)) this.send(answer, sender);
    // Transfers answer queries over TCP only.
    else answer.copy.release();
  }

  private send(datagram: Buffer, { address, port }: RemoteInfo): void {
    // What does not get through is lost, as datagrams are.
    if (!this.gone.signal.aborted) this.socket.send(datagram, port, address);
  }
}
