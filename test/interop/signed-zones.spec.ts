import { describe, expect } from '@jest/globals';
import { SIGNING_ALGORITHMS } from '../../src/dns/dnssec/algorithms.js';
import { DomainName } from '../../src/dns/name.js';
import { holdsFor, times } from '../support/length.js';
import { itWith, run, withFile } from '../support/run-program.js';
import { applyChanges, changeSets, type NameChange, putApex } from '../support/signed-changes.js';
import { newSigningKey, SignedModel } from '../support/signed-model.js';

const APEX = DomainName.parse('example.org.');
const DAY = 86_400;

/** Each has faults that the others miss. */
const JUDGES = [
  { command: 'dnssec-verify', debian: 'bind9-utils', parameters: ['-q', '-z', '-o', 'example.org.'] },
  { command: 'ldns-verify-zone', debian: 'ldnsutils', parameters: [] },
  { command: 'kzonecheck', debian: 'knot-dnssecutils', parameters: ['-d', 'on', '-o', 'example.org.'] },
] as const;

const itWithJudges = itWith({
  name: 'a judge of signed zones',
  needs: Object.fromEntries(JUDGES.map(({ command, debian }) => [command, debian])),
});

/** What the judges say against the zone. */
async function faultsOf(model: SignedModel): Promise<string[]> {
  const verdicts = await withFile(model.toText(), (path) =>
    Promise.all(JUDGES.map(async ({ command, parameters }) => ({ command, ...(await run(command, [...parameters, path])) }))),
  );
  return verdicts.flatMap(({ command, failed, output }) => (failed ? [`${command}: ${output}`] : []));
}

describe.each(['nsec', 'nsec3'] as const)('%s', (denial) => {
  describe.each(SIGNING_ALGORITHMS.map(({ mnemonic, number }) => [mnemonic, number] as const))('%s', (_, algorithm) => {
    itWithJudges(
      '23.6: other signers find nothing wrong with a zone after random change sets',
      async () => {
        const key = newSigningKey(algorithm);
        const now = Math.floor(Date.now() / 1000);
        const judge = async (rounds: readonly (readonly NameChange[])[]): Promise<void> => {
          const model = new SignedModel(APEX, denial, key, { inception: now - 3600, expiration: now + 28 * DAY });
          putApex(model, 1);
          await model.signAll();
          for (const [at, changes] of rounds.entries())
            await model.signChanged(applyChanges(model, changes, at + 2));
          expect(await faultsOf(model)).toEqual([]);
        };
        await holdsFor(changeSets(), judge, { numRuns: times(15, 500), endOnFailure: true });
      },
      120_000,
    );
  });
});
