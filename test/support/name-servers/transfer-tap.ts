import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { decode } from 'dns-packet';
import { freePort, startUdpRelay } from './name-servers.js';

/** A transfer request of a name server, with the response. */
export interface SeenTransfer {
  readonly zone: string;
  readonly asked: 'AXFR' | 'IXFR';
  /** `null` before the response; then `whole`, `difference`, `current` (up to date), or the RCODE of a refusal. */
  answered: string | null;
  octets: number;
}

/** Stands between the service and its name servers, sees their transfers, and can stop one in the middle. */
export interface TransferTap {
  readonly port: number;
  readonly transfers: readonly SeenTransfer[];
  /** From now on to that port. */
  leadTo(service: number): void;
  /** Passes at most `octets` octets of each later connection's responses. */
  stallAfter(octets: number): void;
  /** Resolves when an answer has been held back. */
  stalled(): Promise<void>;
  /** Ends connections with held-back data. */
  release(): void;
  close(): Promise<void>;
}

/** @param first the service's port for DNS on loopback */
export async function startTransferTap(first: number): Promise<TransferTap> {
  const transfers: SeenTransfer[] = [];
  const sockets = new Set<Socket>();
  let service = first;
  let limit = Infinity;
  let announceStall = (): void => undefined;
  let stall = Promise.resolve();
  const join = (client: Socket): void => {
    const server = connect(service, '127.0.0.1');
    const seen = new Map<number, SeenTransfer>();
    const allowed = limit;
    let passed = 0;
    pair(client, server, sockets);
    onFrames(client, (message) => recordQuestion(message, seen, transfers));
    onFrames(server, (message) => recordAnswer(message, seen));
    client.on('data', (octets) => server.write(octets));
    server.on('data', (octets) => {
      passed += octets.length;
      if (passed <= allowed) return void client.write(octets);
      server.pause();
      announceStall();
    });
  };
  const listener = createServer(join).listen(await freePort(), '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port: own } = listener.address() as AddressInfo;
  const datagrams = await startUdpRelay(service, own);
  return {
    port: own,
    transfers,
    leadTo: (port) => {
      service = port;
      datagrams.leadTo(port);
    },
    stallAfter: (octets) => {
      limit = octets;
      stall = new Promise((resolve) => (announceStall = resolve));
    },
    stalled: () => stall,
    release: () => {
      limit = Infinity;
      for (const socket of sockets) if (socket.isPaused()) socket.destroy();
    },
    close: async () => {
      datagrams.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** Closing one end closes the other end. */
function pair(client: Socket, server: Socket, sockets: Set<Socket>): void {
  for (const [socket, other] of [
    [client, server],
    [server, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('end', () => other.end());
    socket.once('close', () => {
      sockets.delete(socket);
      other.end();
    });
  }
}

/** Each message of a TCP connection, without the two octets of its length. */
function onFrames(socket: Socket, take: (message: Buffer) => void): void {
  let kept = Buffer.alloc(0);
  socket.on('data', (octets) => {
    kept = Buffer.concat([kept, octets]);
    while (kept.length >= 2 && kept.length >= 2 + kept.readUInt16BE(0)) {
      const end = 2 + kept.readUInt16BE(0);
      take(kept.subarray(2, end));
      kept = kept.subarray(end);
    }
  });
}

function recordQuestion(message: Buffer, seen: Map<number, SeenTransfer>, transfers: SeenTransfer[]): void {
  const [question] = decode(message).questions ?? [];
  // The package's types leave IXFR out, which its code has.
  const type = question?.type as string | undefined;
  if (question === undefined || (type !== 'AXFR' && type !== 'IXFR')) return;
  const transfer: SeenTransfer = { zone: `${question.name}.`, asked: type, answered: null, octets: 0 };
  transfers.push(transfer);
  seen.set(message.readUInt16BE(0), transfer);
}

function recordAnswer(message: Buffer, seen: Map<number, SeenTransfer>): void {
  const transfer = seen.get(message.readUInt16BE(0));
  if (transfer === undefined) return;
  transfer.octets += message.length;
  transfer.answered ??= kindOf(message, transfer.asked);
}

function kindOf(message: Buffer, asked: 'AXFR' | 'IXFR'): string {
  const { answers = [], rcode } = decode(message) as ReturnType<typeof decode> & { rcode: string };
  if (rcode !== 'NOERROR') return rcode;
  const serials = answers.slice(0, 2).map((record) => (record.type === 'SOA' ? record.data.serial : null));
  if (asked === 'IXFR' && answers.length === 1) return 'current';
  return typeof serials[1] === 'number' && serials[1] !== serials[0] ? 'difference' : 'whole';
}
