import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { Reads } from '../../src/database/reads.js';
import { readRrsig, signaturesOf, type SigningKeys } from '../../src/dns/dnssec/rrsig.js';
import type { WireSet } from '../../src/dns/dnssec/wire-set.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { DomainName } from '../../src/dns/name.js';
import { HTTPS } from '../../src/dns/rdata/svcb.js';
import { ZoneKeyRepository } from '../../src/dnssec/keys/zone-key.repository.js';
import { ZoneKeys } from '../../src/dnssec/keys/zone-keys.js';
import { SigningJobs } from '../../src/dnssec/signing/signing-jobs.js';
import { SignedZoneCheck } from '../../src/dnssec/signed-zone-check.js';
import { digestOf, octetsOfAll, textOfAll } from '../../src/dnssec/state/signed-set-form.js';
import { type PublishedZone, ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { recordsOf } from '../publishing/read-copy.js';
import { answerOf } from '../support/answers.js';
import type { AssembledService } from '../support/assembled-service.js';
import { faultsOf, genericText, itWithJudges } from '../support/dnssec-judges.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { assembleSigningService } from '../support/signing-service.js';
import { executeIn, lookInto } from '../support/stored.js';

const PRESENT = new AbortController().signal;
/** Blocks signing while a test inspects the earlier state. */
const HALTED = "halted_because = 'of this test'";
/** Zone columns as the previous release leaves them, also when it signs next to this release. */
const SIGNED_BEFORE = ['folded_step = NULL', 'step = step + 1'];
const CAPITALS = 'Https HTTPS 1 Target.EXAMPLE. alpn=h2\nHttps HTTPS 2 other.example.\nwww A 192.0.2.1\n';

let service: AssembledService;
let source: ZoneSource;

beforeAll(async () => {
  service = await assembleSigningService();
  // Injection tokens are abstract classes.
  source = service.get(ZoneSource as never);
});
afterAll(() => service.stop());

const signed = ({ id }: TestDomain): Promise<void> => service.get(SigningJobs).run(id, PRESENT);

/** A domain as the release before has left it, which signed targets as they are spelled. */
async function domainOfBefore(lines: string, left: string): Promise<TestDomain> {
  const zone = await newDomain(service);
  await zone.import(lines);
  await answerOf(service.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true }));
  await signed(zone);
  const signatures = await statementsOf(zone);
  change(zone, left, HALTED);
  for (const sql of signatures) executeIn(service.databaseFile, sql);
  return zone;
}

/** Sign the HTTPS sets of the domain as they are spelled. */
async function statementsOf({ id, name }: TestDomain): Promise<string[]> {
  const keyRows = await service.get<Reads>(Reads as never).run((tx) => service.get(ZoneKeyRepository).ofZone(tx, id));
  const keys = service.get(ZoneKeys).signing(keyRows, null) as SigningKeys;
  return spelledSetsOf(id).map(({ ttl, ownerKey, signatures, set }) => {
    const [rrsig] = octetsOfAll(signatures);
    const made = textOfAll(signaturesOf({ ...set, ttl }, keys, DomainName.parse(name), readRrsig(rrsig!)));
    return (
      `UPDATE signed_sets SET signatures = '${made}', digest = '${digestOf({ ...set, ttl })}'` +
      ` WHERE zone_id = '${id}' AND type = ${HTTPS.code} AND owner_key = '${ownerKey}'`
    );
  });
}

interface SpelledSet {
  readonly ownerKey: string;
  readonly ttl: number;
  readonly signatures: string;
  readonly set: Omit<WireSet, 'ttl'>;
}

function spelledSetsOf(zoneId: string): SpelledSet[] {
  return lookInto(service.databaseFile, ({ rows }) =>
    rows<Omit<SpelledSet, 'set'>>(
      'SELECT owner_key AS "ownerKey", ttl, signatures FROM signed_sets WHERE zone_id = ? AND type = ?',
      ...[zoneId, HTTPS.code],
    ).map((row) => {
      const records = rows<{ name: string; rdata: string }>(
        "SELECT name, rdata FROM records WHERE zone_id = ? AND type = 'HTTPS' AND owner_key = ?",
        ...[zoneId, row.ownerKey],
      );
      const owner = DomainName.parse(records[0]!.name);
      return {
        ...row,
        set: { owner, type: HTTPS.code, rdatas: records.map(({ rdata }) => Buffer.from(rdata, 'hex')) },
      };
    }),
  );
}

function change({ id }: TestDomain, ...assignments: readonly string[]): void {
  executeIn(service.databaseFile, `UPDATE zone_signing SET ${assignments.join(', ')} WHERE zone_id = '${id}'`);
}

/** This release gets to the domain. */
async function comesToIt(zone: TestDomain): Promise<void> {
  change(zone, 'halted_because = NULL');
  await service.get(Scheduler).runNow('dnssec.comparison');
  await signed(zone);
}

async function find({ name }: TestDomain): Promise<PublishedZone> {
  const found = await source.find(DomainName.parse(name));
  if (found === null) throw new Error(`${name} is not there`);
  return found;
}

async function look(zone: TestDomain): Promise<readonly ResourceRecord[]> {
  const copy = await source.axfr(await find(zone), PRESENT);
  return (await recordsOf(copy, zone.name)).slice(0, -1);
}

/** Also as it is exported, and by our own check. */
async function expectSigned(zone: TestDomain, records: readonly ResourceRecord[]): Promise<void> {
  expect(await faultsOf(zone.name, genericText(records))).toEqual([]);
  const exported = await service.call('get', `/v1/domains/${zone.id}/export?signed=true`);
  expect(await faultsOf(zone.name, exported.text)).toEqual([]);
  const faults = await service.get(SignedZoneCheck).faultsOf(zone.id, true);
  expect(faults.filter((fault) => !fault.includes('halted'))).toEqual([]);
}

function targetsIn(records: readonly ResourceRecord[]): string[] {
  const targets = records.filter(({ type }) => type === HTTPS.code).map(({ rdata }) => DomainName.read(rdata, 2));
  return targets.map((target) => target.toString()).sort();
}

function stepsOf({ id }: TestDomain): { readonly step: number; readonly foldedStep: number | null } {
  const [row] = lookInto(service.databaseFile, ({ rows }) =>
    rows<{ step: number; foldedStep: number | null }>(
      'SELECT step, folded_step AS "foldedStep" FROM zone_signing WHERE zone_id = ?',
      id,
    ),
  );
  return row!;
}

describe.each(SIGNED_BEFORE)('signed by the previous release: %s', (left) => {
  itWithJudges(
    '18.8, 23.4: targets with capitals are sent so until they are signed in lower case, by itself',
    async () => {
      const zone = await domainOfBefore(CAPITALS, left);
      const [before, former] = [await look(zone), await find(zone)];
      expect(targetsIn(before)).toEqual(['Target.EXAMPLE.', 'other.example.']);
      await expectSigned(zone, before);
      await comesToIt(zone);
      const after = await look(zone);
      expect(targetsIn(after)).toEqual(['other.example.', 'target.example.']);
      await expectSigned(zone, after);
      // Name servers have the capitals or not, and are sent all of it.
      expect(await source.ixfr(await find(zone), former.serial, PRESENT)).toBeNull();
      const { serial } = await find(zone);
      await service.get(Scheduler).runNow('dnssec.comparison');
      await signed(zone);
      expect(await find(zone)).toMatchObject({ serial });
    },
  );

  itWithJudges('18.8, 23.4: a change comes before that', async () => {
    const zone = await domainOfBefore(CAPITALS, left);
    await zone.import('www A 192.0.2.2\nHttps HTTPS 3 Third.EXAMPLE.\n', '?mode=merge');
    expect(targetsIn(await look(zone))).toEqual(['Target.EXAMPLE.', 'other.example.']);
    await comesToIt(zone);
    const after = await look(zone);
    expect(targetsIn(after)).toEqual(['other.example.', 'target.example.', 'third.example.']);
    await expectSigned(zone, after);
  });

  it('18.8, 23.4: a domain without capitals is checked once and not changed', async () => {
    const zone = await domainOfBefore('https HTTPS 1 target.example. alpn=h2\nwww A 192.0.2.1\n', left);
    const { serial } = await find(zone);
    await comesToIt(zone);
    expect(await find(zone)).toMatchObject({ serial });
    const { step, foldedStep } = stepsOf(zone);
    expect(foldedStep).toBe(step);
  });
});
