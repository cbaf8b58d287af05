import { describe, expect } from '@jest/globals';
import { SIGNING_ALGORITHMS } from '../../src/dns/dnssec/algorithms.js';
import { DomainName } from '../../src/dns/name.js';
import { faultsOf, itWithJudges } from '../support/dnssec-judges.js';
import { holdsFor, times } from '../support/length.js';
import { applyChanges, changeSets, type NameChange, putApex } from '../support/signed-changes.js';
import { newSigningKey, SignedModel } from '../support/signed-model.js';

const APEX = DomainName.parse('example.org.');
const DAY = 86_400;

describe.each(['nsec', 'nsec3'] as const)('%s', (denial) => {
  describe.each(SIGNING_ALGORITHMS.map(({ mnemonic, number }) => [mnemonic, number] as const))('%s', (_, algorithm) => {
    itWithJudges(
      '23.6: other signers find nothing wrong with a zone after random change sets',
      async () => {
        const key = await newSigningKey(algorithm);
        const now = Math.floor(Date.now() / 1000);
        const judge = async (rounds: readonly (readonly NameChange[])[]): Promise<void> => {
          const model = new SignedModel(APEX, denial, key, { inception: now - 3600, expiration: now + 28 * DAY });
          putApex(model, 1);
          await model.signAll();
          for (const [at, changes] of rounds.entries())
            await model.signChanged(applyChanges(model, changes, at + 2, { isLoadable: true }));
          expect(await faultsOf('example.org.', model.toText())).toEqual([]);
        };
        await holdsFor(changeSets(), judge, { numRuns: times(15, 500), endOnFailure: true });
      },
      120_000,
    );
  });
});
