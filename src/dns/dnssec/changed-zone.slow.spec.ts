import { describe, expect, it } from '@jest/globals';
import { holdsFor, times } from '../../../test/support/length.js';
import { applyChanges, changeSets, type NameChange, putApex } from '../../../test/support/signed-changes.js';
import { newSigningKey, SignedModel, textOf } from '../../../test/support/signed-model.js';
import { DomainName } from '../name.js';
import { BrokenChain, type ChainLink, patchChain } from './chain.js';
import { chainKind, type Denial } from './denial.js';
import type { WireSet } from './wire-set.js';

const APEX = DomainName.parse('example.org.');
const KEY = await newSigningKey(15);
const VALIDITY = { inception: 1_700_000_000, expiration: 1_702_000_000 };

async function signedModel(denial: Denial, changes: readonly NameChange[] = []): Promise<SignedModel> {
  const model = new SignedModel(APEX, denial, KEY, VALIDITY);
  putApex(model, 1);
  applyChanges(model, changes, 1);
  await model.signAll();
  return model;
}

function textsOf(sets: ReadonlyMap<string, WireSet>): string[] {
  return [...sets.values()].map(textOf).sort();
}

describe.each(['nsec', 'nsec3'] as const)('%s', (denial) => {
  it('23.6: after any change sets, the zone is signed as if it had been signed as a whole', async () => {
    const judge = async (rounds: readonly (readonly NameChange[])[]): Promise<void> => {
      const [first = [], ...others] = rounds;
      const model = await signedModel(denial, first);
      for (const [at, changes] of others.entries()) {
        await model.signChanged(applyChanges(model, changes, at + 2));
        expect(textsOf(model.present)).toEqual(textsOf(await model.wanted()));
      }
    };
    await holdsFor(changeSets(), judge, { numRuns: times(300, 20_000) });
  });

  const CONTENT = { nothing: 0, address: 2, texts: 4, cut: 6, dname: 8 };
  const FILLING = ['a', 'www', 'c.b.a', 'zz'].map((name) => ({ name, content: CONTENT.address, ttl: 300 }));

  it('23.6: a changed set takes two signatures, with that of the SOA', async () => {
    const model = await signedModel(denial, FILLING);
    await model.signChanged(applyChanges(model, [{ name: 'a', content: CONTENT.address, ttl: 3600 }], 2));
    expect(model.taken).toBe(2);
  });

  it.each([
    ['a new name', 'y.deep.er', CONTENT.address, denial === 'nsec' ? 4 : 8],
    ['a name that goes', 'www', CONTENT.nothing, 3],
    ['a new cut without DS', 'cut', CONTENT.cut, 3],
    ['another type at a name', 'a', CONTENT.texts, 3],
  ])('23.6: %s takes no more signatures than it must', async (_, name, content, most) => {
    const model = await signedModel(denial, FILLING);
    await model.signChanged(applyChanges(model, [{ name, content, ttl: 300 }], 2));
    expect(model.taken).toBeLessThanOrEqual(most);
  });
});

it('refuses to write a chain that does not lead to a name that is there', async () => {
  const kind = chainKind('nsec');
  const link = (name: string): ChainLink => ({ owner: DomainName.parse(name), bitmap: kind.bitmapOf([1], true) });
  const [a, b] = [link('a.example.org.'), link('b.example.org.')];
  /** A zone source that forgets everything after the apex. */
  const forgetful = {
    at: () => Promise.resolve([]),
    before: () => Promise.resolve(link('example.org.')),
    after: (key: string) => Promise.resolve(key === APEX.key ? null : b),
    first: () => Promise.resolve(null),
    last: () => Promise.resolve(null),
  };
  await expect(patchChain(forgetful, new Map([[a.owner.key, null]]))).resolves.toEqual({ links: [], removed: [] });
  await expect(patchChain({ ...forgetful, before: () => Promise.resolve(null) }, new Map())).resolves.toBeDefined();
  const empty = { ...forgetful, before: () => Promise.resolve(null), after: () => Promise.resolve(null) };
  const gone = { ...empty, at: () => Promise.resolve([a]) };
  await expect(patchChain(gone, new Map([[a.owner.key, null]]))).rejects.toThrow(BrokenChain);
});
