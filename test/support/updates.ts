import { randomInt } from 'node:crypto';
import { MetaType, RecordClass, Opcode } from '../../src/dns/message/codes.js';
import { requestHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { type MessageContent, writeMessage } from '../../src/dns/message/message-writer.js';
import { TsigClient } from '../../src/dns/message/tsig/tsig-client.js';
import type { TsigAlgorithm, TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { DomainName } from '../../src/dns/name.js';
import { genericType, RecordTypes, SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { tokenize } from '../../src/dns/rdata/tokens.js';
import { typeCode } from '../../src/dns/rdata/type-names.js';
import { bodyOf } from './answers.js';
import { DnsConnection, type Place, rcodeOf, sendDatagram, unixTime } from './dns-client.js';
import { type Client, type Settings, startTestService, type TestService } from './service.js';

const { IN, NONE, ANY } = RecordClass;
const NOTHING = new Uint8Array();
const TYPES = new RecordTypes([...STANDARD_TYPES, SOA], { generic: true });

/** A service that takes UPDATE, and where. */
export interface UpdateService extends TestService {
  readonly dns: Place;
  /** A key of the tenant `tenant-a`, unless the client is another's. */
  newKey(fields?: KeyFields, client?: Client): Promise<KeyBody>;
  /** An update client with a new key. */
  newUpdater(fields?: KeyFields, client?: Client): Promise<Updater>;
}

export interface KeyFields {
  readonly name?: string;
  readonly algorithm?: string;
  readonly secret?: string;
  readonly domains?: readonly string[];
  readonly names?: readonly string[];
  readonly types?: readonly string[];
  readonly actions?: readonly string[];
  readonly networks?: readonly string[];
  readonly expires_at?: string;
}

/** A key in the response to its creation. */
export interface KeyBody {
  readonly id: string;
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly tenant_id: string;
  readonly secret: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export const TAKES_UPDATES: Settings = {
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__UPDATES: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
};

export async function startUpdateService(settings: Settings = {}, directory?: string): Promise<UpdateService> {
  const service = await startTestService({ ...TAKES_UPDATES, ...settings }, directory);
  const dns = { port: Number(new URL(service.running.dnsUrl ?? '').port) };
  const newKey = (fields: KeyFields = {}, client: Client = service): Promise<KeyBody> => newUpdateKey(client, fields);
  const newUpdater = async (fields?: KeyFields, client?: Client): Promise<Updater> =>
    new Updater(dns, tsigKeyOf(await newKey(fields, client)));
  return { ...service, dns, newKey, newUpdater };
}

/** A key of the client's tenant, with a unique name unless the test gives one. */
export function newUpdateKey(client: Client, fields: KeyFields = {}): Promise<KeyBody> {
  return bodyOf<KeyBody>(
    client.call('post', '/v1/update-keys', { name: `k${randomInt(1e9)}.example.net.`, ...fields }),
  );
}

export function tsigKeyOf({ name, algorithm, secret }: Pick<KeyBody, 'name' | 'algorithm' | 'secret'>): TsigKey {
  return { name: DomainName.parse(name), algorithm, secret: Buffer.from(secret, 'base64') };
}

/** Prerequisites and updates of one message. */
export interface Asked {
  readonly prerequisites?: readonly ResourceRecord[];
  readonly updates?: readonly ResourceRecord[];
}

/** Updates zones with a key, and verifies the responses. */
export class Updater {
  constructor(
    readonly place: Place,
    readonly key: TsigKey,
    private readonly clock = unixTime,
  ) {}

  /** `NOERROR`, `YXDOMAIN`, … */
  async update(zone: string, asked: Asked): Promise<string> {
    return rcodeOf(await this.send(updateOf(zone, asked)));
  }

  /** By UDP, where it goes into a datagram. */
  async send(message: Uint8Array): Promise<Message> {
    const client = new TsigClient(this.key, this.clock);
    const signed = client.sign(message);
    const octets = await exchange(this.place, signed);
    const answer = readMessage(octets);
    client.verify(octets, answer);
    return answer;
  }

  /** The octets of a signed message, for tests that send them directly. */
  signed(message: Uint8Array): Buffer {
    return new TsigClient(this.key, this.clock).sign(message);
  }
}

const LARGEST_DATAGRAM = 65_507;
/** In milliseconds: a machine with other work takes its time. */
const PATIENCE = 60_000;

/** Sends octets and returns the response. */
export async function exchange(place: Place, octets: Uint8Array, isTcp = false): Promise<Buffer> {
  if (!isTcp && octets.length <= LARGEST_DATAGRAM) {
    const answer = await sendDatagram(place, octets, PATIENCE);
    if (answer === null) throw new Error('there is no answer');
    return answer;
  }
  const connection = await DnsConnection.open(place);
  try {
    connection.send(octets);
    const answer = await connection.next();
    if (answer === null) throw new Error('the connection was closed');
    return answer;
  } finally {
    connection.close();
  }
}

export function updateOf(zone: string, asked: Asked, content: Partial<MessageContent> = {}): Buffer {
  const { prerequisites = [], updates = [] } = asked;
  return writeMessage({
    header: requestHeader(randomInt(0x10000), Opcode.UPDATE),
    questions: [{ name: DomainName.parse(zone), type: SOA.code, class: IN }],
    answers: prerequisites,
    authorities: updates,
    ...content,
  });
}

/** `add('www.example.org.', 300, 'A', '192.0.2.1')` */
export function add(owner: string, ttl: number, type: string, data: string): ResourceRecord {
  return { owner: DomainName.parse(owner), type: codeOf(type), class: IN, ttl, rdata: rdataOf(type, data) };
}

/** A record, a set, or all of a name. */
export function remove(owner: string, type?: string, data?: string): ResourceRecord {
  const name = DomainName.parse(owner);
  const code = type === undefined ? MetaType.ANY : codeOf(type);
  if (type === undefined || data === undefined) return { owner: name, type: code, class: ANY, ttl: 0, rdata: NOTHING };
  return { owner: name, type: code, class: NONE, ttl: 0, rdata: rdataOf(type, data) };
}

/** That a name, a set, or this record of a set is there. */
export function exists(owner: string, type?: string, data?: string): ResourceRecord {
  if (type !== undefined && data !== undefined) return add(owner, 0, type, data);
  return { ...remove(owner, type), class: ANY };
}

/** That a name or a set is not there. */
export function isFree(owner: string, type?: string): ResourceRecord {
  return { ...remove(owner, type), class: NONE };
}

function codeOf(type: string): number {
  return TYPES.byName(type)?.code ?? typeCode(type) ?? 0;
}

function rdataOf(type: string, data: string): Uint8Array {
  const known = TYPES.byName(type) ?? genericType('TYPE65280');
  return known?.parseTokens(tokenize(data), DomainName.ROOT) ?? NOTHING;
}
