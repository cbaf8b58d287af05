import { describe, expect, it } from '@jest/globals';
import { kindOf } from '../../database/schema/schema-state.js';
import { compose } from './compose.js';

/** The baseline: names describe the purpose of later migrations. */
const BASELINE_TIME = 1_764_200_000_000;

describe('the migrations of the service', () => {
  it('18.8 name their compatibility with the previous release', async () => {
    const { histories } = await compose([], { env: {} }).schema();
    const [{ migrations, contractions }] = histories;
    const names = [...migrations, ...contractions].map(({ name }) => name);
    const later = names.filter((name) => Number(name.slice(-13)) > BASELINE_TIME);
    expect(later.filter((name) => kindOf(name) === 'change')).toEqual([]);
  });
});
