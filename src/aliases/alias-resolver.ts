import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../common/clock.js';
import { Opcode, RecordClass } from '../dns/message/codes.js';
import { DomainName } from '../dns/name.js';
import { Counter } from '../observability/metrics.js';
import { DnsStream } from '../publishing/pool/dns-stream.js';
import { type AddressType, type Answer, failing, readAnswer, withoutPrivate } from './alias-answer.js';
import { AliasesOptions } from './aliases.options.js';

/** Includes the upstream queries of the resolver. */
const ANSWER_TIMEOUT_MS = 5000;

const QUERIES = new Counter({
  name: 'zonewright_alias_queries_total',
  help: 'Queries to the resolver for the targets of ALIAS records, by their outcome.',
  labels: ['result'],
});

/** Asks the configured resolver for addresses, over one TCP connection. */
@Injectable()
export class AliasResolver implements OnModuleDestroy {
  private readonly stream: DnsStream;

  constructor(
    private readonly options: AliasesOptions,
    clock: Clock,
  ) {
    const { host, port } = options.resolver;
    this.stream = new DnsStream({ address: host, port, key: null }, () => toUnixSeconds(clock.now()));
  }

  onModuleDestroy(): void {
    this.stream.end();
  }

  async ask(name: DomainName, type: AddressType): Promise<Answer> {
    const question = { name, type: type.code, class: RecordClass.IN };
    const inquiry = { opcode: Opcode.QUERY, question, flags: { isRecursionDesired: true } };
    const reply = await this.stream.ask(inquiry, ANSWER_TIMEOUT_MS);
    const read =
      reply.message === null
        ? failing(`the resolver does not answer (${reply.reason})`)
        : withoutPrivate(readAnswer(reply.message, name, type), this.options.allowedNetworks);
    QUERIES.of(read.kind).add();
    return read;
  }
}
