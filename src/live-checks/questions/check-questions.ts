import { isAddressWithin, isPublicElsewhere } from '../../common/network/network.js';
import { Opcode, RecordClass } from '../../dns/message/codes.js';
import type { DomainName } from '../../dns/name.js';
import { A, AAAA } from '../../dns/rdata/address-types.js';
import { Counter } from '../../observability/metrics.js';
import type { Inquiry, Reply } from '../../publishing/pool/dns-client.js';
import { DnsStream } from '../../publishing/pool/dns-stream.js';
import type { LiveChecksOptions } from '../live-checks.options.js';
import { addressesIn, type Problem, problemOf } from './answers.js';
import type { CheckTurns, QueryTurns } from './query-turns.js';

const PORT = 53;
/** Includes the upstream queries of the resolver. */
const RESOLVER_TIMEOUT_MS = 5000;
const TCP_TIMEOUT_MS = 3000;
const UDP_TIMEOUT_MS = 2000;
/** As DnsStream says it. A server or an idle connection may end while a query is sent: that query is sent again. */
const CLOSED = 'the connection was closed';
const LATEST_CLOSE_MS = 1000;
/** Octets of one connection to an untrusted server: four messages. */
const MOST_OCTETS = 2 ** 18;
/** Of one name server. */
const MOST_ADDRESSES = 4;

const QUERIES = new Counter({
  name: 'zonewright_live_check_queries_total',
  help: 'Queries of live checks, by the server that was asked and whether it answered.',
  labels: ['to', 'result'],
});

/** The check has no time or no queries left. */
export class CheckEnded extends Error {}

export type Transport = 'UDP' | 'TCP';

export interface CheckBounds {
  readonly turns: CheckTurns;
  /** Aborted at the deadline and when the client disconnects. */
  readonly stop: AbortSignal;
}

interface Query {
  readonly to: 'resolver' | 'name server';
  readonly mayGetLost: boolean;
  ask(): Promise<Reply>;
}

/** Asks the resolver and name servers for one check, each question once (behaviour 27.2). */
export class CheckQuestions {
  asked = 0;
  private readonly replies = new Map<string, Promise<Reply>>();
  private readonly streams = new Map<string, DnsStream>();
  private readonly ended: Promise<never>;

  constructor(
    private readonly options: LiveChecksOptions,
    private readonly ofProcess: Pick<QueryTurns, 'client' | 'unixClock'>,
    private readonly bounds: CheckBounds,
  ) {
    const { stop } = bounds;
    this.ended = new Promise((_, reject) => {
      const end = (): void => reject(new CheckEnded('the time is over'));
      stop.addEventListener('abort', end, { once: true });
      if (stop.aborted) end();
    });
    this.ended.catch(() => undefined);
  }

  end(): void {
    for (const stream of this.streams.values()) stream.end();
  }

  /** The answer of the resolver with any RCODE. @throws CheckEnded */
  async resolve(name: DomainName, { code: type }: { readonly code: number }): Promise<Reply> {
    const { resolver } = this.options;
    if (resolver === null) throw new CheckEnded('no resolver');
    const inquiry = { ...queryFor(name, type), flags: { isRecursionDesired: true } };
    return this.once(`resolver ${name.key} ${type}`, {
      to: 'resolver',
      mayGetLost: false,
      ask: () => this.stream(resolver.host, resolver.port, Infinity).ask(inquiry, RESOLVER_TIMEOUT_MS),
    });
  }

  /** Asks without recursion. The address must be an allowed one. @throws CheckEnded */
  askServer(address: string, transport: Transport, name: DomainName, type: number): Promise<Reply> {
    const inquiry = queryFor(name, type);
    return this.once(`${transport} ${address} ${name.key} ${type}`, {
      to: 'name server',
      mayGetLost: transport === 'UDP',
      ask: () =>
        transport === 'TCP'
          ? this.stream(address, PORT, MOST_OCTETS).ask(inquiry, TCP_TIMEOUT_MS)
          : this.ofProcess.client.ask({ address, port: PORT, key: null }, inquiry, UDP_TIMEOUT_MS),
    });
  }

  /** Tenants choose names of name servers, so they choose addresses; these might be internal ones. */
  allows(address: string): boolean {
    return isPublicElsewhere(address) || isAddressWithin(address, this.options.allowedNetworks);
  }

  /** The addresses of a host, and why it has none. @throws CheckEnded */
  async addressesOf(host: DomainName): Promise<{ readonly addresses: string[]; readonly problem: Problem | null }> {
    const answers = await Promise.all([A, AAAA].map(async (type) => ({ type, reply: await this.resolve(host, type) })));
    const addresses = answers.flatMap(({ type, reply }) =>
      reply.message === null ? [] : addressesIn(reply.message, host, type),
    );
    if (addresses.length > 0) return { addresses: addresses.slice(0, MOST_ADDRESSES), problem: null };
    const problems = answers.map(({ reply }) => problemOf(reply, host));
    return { addresses, problem: problems.find((problem) => problem !== null) ?? { kind: 'empty', text: '' } };
  }

  private stream(address: string, port: number, mostOctets: number): DnsStream {
    const key = `${address} ${port}`;
    let stream = this.streams.get(key);
    if (stream === undefined) {
      stream = new DnsStream({ address, port, key: null }, this.ofProcess.unixClock, mostOctets);
      this.streams.set(key, stream);
    }
    return stream;
  }

  private once(key: string, query: Query): Promise<Reply> {
    let reply = this.replies.get(key);
    if (reply === undefined) {
      reply = Promise.race([this.bounds.turns.run(() => this.repeated(query)), this.ended]);
      this.replies.set(key, reply);
    }
    return reply;
  }

  private async repeated(query: Query): Promise<Reply> {
    const began = performance.now();
    const reply = await this.counted(query);
    if (reply.message !== null) return reply;
    const isClosed = reply.reason === CLOSED && performance.now() - began < LATEST_CLOSE_MS;
    if (!query.mayGetLost && !isClosed) return reply;
    this.bounds.turns.repeat();
    return this.counted(query);
  }

  private async counted(query: Query): Promise<Reply> {
    if (this.bounds.stop.aborted || this.asked >= this.options.maxQueries) throw new CheckEnded('nothing is left');
    this.asked += 1;
    const reply = await query.ask();
    QUERIES.of(query.to, reply.message === null ? 'unanswered' : 'answered').add();
    return reply;
  }
}

function queryFor(name: DomainName, type: number): Inquiry {
  return { opcode: Opcode.QUERY, question: { name, type, class: RecordClass.IN } };
}
