import { describe, expect, it } from '@jest/globals';
import { kindOf } from '../../database/schema/migration-kind.js';
import { compose } from './compose.js';

/** The last migration before their names said what they do. */
const LAST_OF_BEFORE = 1_764_010_000_000;

describe('the migrations of the service', () => {
  it('18.8 say by their names whether the release before can work beside them', async () => {
    const { histories } = await compose([], { env: {} }).schema();
    const [{ migrations, contractions }] = histories;
    const names = [...migrations, ...contractions].map(({ name }) => name);
    const later = names.filter((name) => Number(name.slice(-13)) > LAST_OF_BEFORE);
    expect(later.filter((name) => kindOf(name) === 'change')).toEqual([]);
  });
});
