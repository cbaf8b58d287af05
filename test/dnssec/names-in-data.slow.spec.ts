import { afterAll, beforeAll, expect } from '@jest/globals';
import { FOUR_SERVERS } from '../publishing/software.js';
import { faultsOf, genericText } from '../support/dnssec-judges.js';
import type { TestDomain } from '../support/domain.js';
import { itWith } from '../support/run-program.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';
import { differences, recordsFrom, recordsOn } from './served-records.js';
import { SignedPool } from './signed-pool.js';

const PROGRAMS = { name: 'unbound', needs: { ...FOUR_SERVERS.needs, ...UNBOUND.needs } };

/** A record of each type whose data contains names. */
const RECORDS = `
Mixed.Case A 192.0.2.1
Cname CNAME Target.EXAMPLE.
Dname DNAME Target.EXAMPLE.
Mx MX 10 Mail.EXAMPLE.
Naptr NAPTR 10 20 "S" "SIP+D2U" "" _Sip._Udp.EXAMPLE.
Ns NS Ns1.EXAMPLE.
Ptr PTR Target.EXAMPLE.
Rp RP Mailbox.EXAMPLE. Text.EXAMPLE.
_Srv._tcp SRV 1 2 443 Target.EXAMPLE.
_Svcb SVCB 1 Target.EXAMPLE. alpn=h2
_Svcb SVCB 2 other.example. alpn=h2
Https HTTPS 1 Target.EXAMPLE. alpn=h2
Https HTTPS 1 Second.Target.EXAMPLE. alpn=h2
Caa CAA 0 issue "CA.Example.net"
Uri URI 1 1 "HTTPS://Www.Example.net/A"
Txt TXT "Mixed Case"
*.Wild HTTPS 0 Alias.EXAMPLE.
`;
const QUESTIONS = [
  ...['mixed.case A', 'cname CNAME', 'dname DNAME', 'mx MX', 'naptr NAPTR', 'ptr PTR', 'rp RP', '_srv._tcp SRV'],
  ...['_svcb SVCB', 'https HTTPS', 'caa CAA', 'uri URI', 'txt TXT', 'any.wild HTTPS', 'none A', 'https A'],
].map((text) => text.split(' ') as [name: string, type: string]);

let signed: SignedPool;
beforeAll(async () => {
  signed = await SignedPool.start(PROGRAMS);
});
afterAll(() => signed.stop());

itWith(PROGRAMS)('23.4: every server serves the signed octets, for any letter case of names in data', async () => {
  const { pool } = signed;
  const domain = await signed.newDomain();
  await domain.import(RECORDS);
  await signed.sign(domain);
  const ours = await recordsFrom(pool.port, domain.name);
  expect(await faultsOf(domain.name, genericText(ours))).toEqual([]);
  for (const server of pool.servers) {
    const { name, port } = server;
    const theirs = await recordsOn(server, domain.name, ours);
    expect([name, ...differences(ours, theirs)]).toEqual([name]);
    expect([name, ...(await faultsOf(domain.name, genericText(theirs)))]).toEqual([name]);
    expect([name, ...(await unsecuredOn(port, domain))]).toEqual([name]);
  }
});

/** Answers that a validating resolver with the domain's key as trust anchor does not report secure. */
async function unsecuredOn(port: number, domain: TestDomain): Promise<string[]> {
  const [ds = ''] = (await signed.dnssecOf(domain)).ds;
  const resolver = await ValidatingResolver.start({
    directory: signed.directory,
    anchor: `${domain.name} IN DS ${ds}`,
    zones: [domain.name.slice(0, -1)],
    servers: [`127.0.0.1@${port}`],
  });
  const ask = async ([label, type]: (typeof QUESTIONS)[number]): Promise<string> =>
    `${label} ${type}: ${await resolver.verdictOn(domain.at(label), type)}`;
  const verdicts = await Promise.all(QUESTIONS.map(ask)).finally(() => resolver.stop());
  return verdicts.filter((verdict) => !verdict.endsWith(': secure'));
}
