import { describe, expect, it } from '@jest/globals';
import { translateFailure } from './database-failure.js';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('a failure of the database', () => {
  it.each(['SQLITE_CANTOPEN', 'SQLITE_FULL', '53300', 'ECONNREFUSED', 'EMFILE', 'ENFILE'])(
    '2.3 is unavailable where it passes: %s',
    (code) => {
      expect(translateFailure(failure(code))).toMatchObject({ code: 'unavailable', cause: { code } });
    },
  );

  it.each(['SQLITE_CORRUPT', '42P01', 'ENOENT'])('is shown as it is where it does not: %s', (code) => {
    expect(translateFailure(failure(code))).toMatchObject({ code });
  });
});
