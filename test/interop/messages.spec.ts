import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';

import type { MasterFileRecord } from '../../src/dns/master-file/master-file.js';
import { writeRecordSet } from '../../src/dns/master-file/master-file-writer.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { MetaType, RecordClass, Rcode } from '../../src/dns/message/codes.js';
import { responseHeader } from '../../src/dns/message/header.js';
import { readMessage, readRequest } from '../../src/dns/message/message-reader.js';
import type { MessageSigner } from '../../src/dns/message/tsig/message-signer.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { TransferResponse } from '../../src/dns/message/transfer-response.js';
import { TransferWriter } from '../../src/dns/message/transfer-writer.js';
import { TsigClient, TsigError } from '../../src/dns/message/tsig/tsig-client.js';
import { TSIG_ALGORITHMS, TsigKeys } from '../../src/dns/message/tsig/tsig-key.js';
import { verifyRequest } from '../../src/dns/message/tsig/tsig-request.js';
import { DNSPYTHON_ZONE } from '../support/dns-tools.js';
import { EXAMPLE_ORG, lineOf, readAll } from '../support/master-file.js';
import { AXFR_QUERY, query } from '../support/messages.js';
import { KNOTD, NAMED, type PrimaryServer, type PrimarySoftware, startPrimary } from '../support/primary-servers.js';
import { itWith, run, withFile } from '../support/run-program.js';
import { applied, idOf, transfer } from '../support/transfers.js';
import { KEY } from '../support/tsig.js';
import { canonicalRecords, recordsOfFile } from '../support/zone-records.js';

const EXAMPLE = new URL('../../examples/example.org.zone', import.meta.url);
const now = () => Math.floor(Date.now() / 1000);

/** The records of the file, an example of each missing type, and enough addresses for many messages. */
async function zoneOfAllTypes(): Promise<string> {
  const { records } = readAll(await readFile(EXAMPLE, 'utf8'));
  const types = new Set(records.map(({ type }) => type.name));
  const others = STANDARD_TYPES.filter(({ name }) => !types.has(name)).map((type) => {
    const { name, data, priority } = type.example;
    return writeRecordSet({ owner: DomainName.parse(name), type, ttl: 300, rdatas: [type.parse(data, priority)] });
  });
  const addresses = Array.from({ length: 5_000 }, (_, at) => `host${at}.example.org. 60 A 192.0.2.${at % 256}`);
  return [...records.map(lineOf), others.join(''), ...addresses, ''].join('\n');
}

describe.each([NAMED, KNOTD])('the messages of $name', (software: PrimarySoftware) => {
  let server: PrimaryServer | undefined;
  let zone: string;
  const itHere = itWith(software);

  beforeAll(async () => {
    zone = await zoneOfAllTypes();
  });
  afterAll(() => server?.stop());

  const started = async () => (server ??= await startPrimary(software, zone, KEY)).port;

  itHere('of an AXFR with signed records of all types are read as the loaded zone', async () => {
    const { messages, records } = await transfer(await started(), AXFR_QUERY, KEY);
    expect(messages.length).toBeGreaterThan(1);
    expect(canonical(records)).toEqual(recordsOfFile(zone, 'example.org.'));
  });

  itHere('of a query are read, with EDNS', async () => {
    const edns = { udpPayloadSize: 1232, version: 0, isDnssecOk: false, options: [] };
    const { messages } = await transfer(await started(), query(SOA.code, { edns }), KEY);
    expect(messages).toMatchObject([{ header: { isAuthoritative: true }, edns: { version: 0 } }]);
  });

  itHere('of a refusal report a bad key', async () => {
    const key = { ...KEY, secret: Buffer.alloc(32) };
    await expect(transfer(await started(), AXFR_QUERY, key)).rejects.toThrow(TsigError);
  });
});

describe('an IXFR of named', () => {
  itWith(NAMED)('turns the old copy into the AXFR contents', async () => {
    const server = await startPrimary(NAMED, await zoneOfAllTypes(), KEY);
    try {
      const { records: old } = await transfer(server.port, AXFR_QUERY, KEY);
      for (const change of ['update add new.example.org. 60 A 192.0.2.1', 'update delete host7.example.org. A']) {
        await update(server.port, change);
      }
      const authorities = old.slice(0, 1);
      const difference = await transfer(server.port, query(MetaType.IXFR, { authorities }), KEY);
      expect(difference.records.length).toBeLessThan(20);
      const { records: fresh } = await transfer(server.port, AXFR_QUERY, KEY);
      const patched = applied(old.slice(0, -1), difference.records);
      expect(patched.map(idOf).sort()).toEqual(fresh.slice(1).map(idOf).sort());
    } finally {
      await server.stop();
    }
  });
});

/** Changes the zone by RFC 2136. */
async function update(port: number, change: string): Promise<void> {
  const secret = Buffer.from(KEY.secret).toString('base64');
  const lines = [`server 127.0.0.1 ${port}`, `key ${KEY.algorithm}:${KEY.name.toString()} ${secret}`];
  await withFile([...lines, 'zone example.org', change, 'send', ''].join('\n'), async (path) => {
    const { failed, output } = await run('nsupdate', [path]);
    if (failed) throw new Error(output);
  });
}

describe.each(TSIG_ALGORITHMS)('dnspython with %s', (algorithm) => {
  const key = { ...KEY, algorithm };
  const parameters = [KEY.name.toString(), algorithm, Buffer.from(KEY.secret).toString('base64')];

  itWith(DNSPYTHON_ZONE)('verifies our query and all messages of our transfer', async () => {
    const request = new TsigClient(key, now).sign(AXFR_QUERY);
    const verdict = verifyRequest(request, readRequest(request), new TsigKeys([key]), now);
    const { records } = readAll(await zoneOfAllTypes());
    const messages = transferOf(request, verdict!.signer, records.slice(0, 400).map(asRecord));
    const lines = await python(READ, [...parameters, request, ...messages]);
    expect(lines[0]).toBe('verified');
    expect(lines.slice(1).reduce((sum, count) => sum + Number(count), 0)).toBe(400);
  });

  itWith(DNSPYTHON_ZONE)('is verified by us, and understands that its clock is wrong', async () => {
    const [hex = ''] = await python(WRITE, parameters);
    const request = Buffer.from(hex, 'hex');
    const message = readRequest(request);
    const keys = new TsigKeys([key]);
    expect(verifyRequest(request, message, keys, now)).toMatchObject({ isValid: true });
    const late = verifyRequest(request, message, keys, () => now() + 1_000);
    const refusal = late!.signer.sign(writeMessage({ header: responseHeader(message.header, Rcode.NOTAUTH) }));
    expect(await python(READ, [...parameters, request, refusal])).toEqual(['verified', 'PeerBadTime']);
  });

  itWith(DNSPYTHON_ZONE)('answers with several messages that are verified by us', async () => {
    const client = new TsigClient(key, now);
    const answers = await python(ANSWER, [...parameters, client.sign(AXFR_QUERY)]);
    expect(answers).toHaveLength(3);
    for (const hex of answers) {
      const octets = Buffer.from(hex, 'hex');
      client.verify(octets, readMessage(octets));
    }
  });
});

const PREPARE = `
import sys, dns.message, dns.name, dns.tsig, dns.rcode, dns.rrset
name, algorithm, secret = sys.argv[1:4]
key = dns.tsig.Key(name, secret, algorithm)
ring = {key.name: key}
`;

/** Prints how many records each message has whose signature is right. */
const READ = `${PREPARE}
request = dns.message.from_wire(bytes.fromhex(sys.argv[4]), keyring=ring)
print('verified' if request.had_tsig else 'unsigned')
context = None
for wire in sys.argv[5:]:
    try:
        message = dns.message.from_wire(bytes.fromhex(wire), keyring=ring, request_mac=request.mac, multi=True, tsig_ctx=context, one_rr_per_rrset=True)
        assert message.had_tsig
        context = message.tsig_ctx
        print(len(message.answer))
    except dns.exception.DNSException as error:
        print(type(error).__name__)
`;

const ANSWERS = `
def answers(request):
    context = None
    for part in range(3):
        response = dns.message.make_response(request)
        response.answer = [dns.rrset.from_text('a%d.example.org.' % i, 60, 'IN', 'A', '192.0.2.1') for i in range(50)]
        yield response.to_wire(multi=True, tsig_ctx=context).hex()
        context = response.tsig_ctx
`;

/** Prints a signed query. */
const WRITE = `${PREPARE}
query = dns.message.make_query('example.org.', 'AXFR')
query.use_tsig(key)
print(query.to_wire().hex())
`;

/** Prints an answer of three messages to the query. */
const ANSWER = `${PREPARE}${ANSWERS}
for answer in answers(dns.message.from_wire(bytes.fromhex(sys.argv[4]), keyring=ring)):
    print(answer)
`;

async function python(script: string, parameters: readonly (string | Buffer)[]): Promise<string[]> {
  const texts = parameters.map((value) => (typeof value === 'string' ? value : value.toString('hex')));
  const { failed, stdout, output } = await run('/usr/bin/python3', ['-c', script, ...texts]);
  if (failed) throw new Error(output);
  return stdout.trim().split('\n');
}

function transferOf(request: Buffer, signer: MessageSigner, records: readonly ResourceRecord[]): Buffer[] {
  const writer = new TransferWriter(EXAMPLE_ORG, 2_000);
  const sections = records.flatMap(({ owner, type, ttl, rdata }) => writer.add(owner, type, ttl, rdata) ?? []);
  const response = new TransferResponse(readRequest(request), signer);
  return [...sections, writer.finish()].map((section) => response.datagram(section));
}

function asRecord({ owner, type, ttl, rdata }: MasterFileRecord): ResourceRecord {
  return { owner, type: type.code, class: RecordClass.IN, ttl: ttl ?? 300, rdata };
}

function canonical(records: readonly ResourceRecord[]): string[] {
  return canonicalRecords(records.map((record) => ({ ...record, code: record.type })));
}
