import { describe, expect, it } from '@jest/globals';
import { endsSession, translateFailure } from './database-failure.js';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('a failure of the database', () => {
  it.each(['SQLITE_CANTOPEN', 'SQLITE_FULL', '53300', 'ECONNREFUSED', 'EMFILE', 'ENFILE'])(
    '2.3 is unavailable where it passes: %s',
    (code) => {
      expect(translateFailure(failure(code))).toMatchObject({ code: 'unavailable', cause: { code } });
    },
  );

  it('2.3 is unavailable where PostgreSQL has ended the session for it, as for a file that it cannot write at its start', () => {
    const error = Object.assign(failure('XX000'), { severity: 'FATAL' });
    expect(translateFailure(error)).toMatchObject({ code: 'unavailable', cause: { code: 'XX000' } });
    expect(endsSession(error)).toBe(true);
    expect(translateFailure(Object.assign(failure('XX000'), { severity: 'ERROR' }))).toMatchObject({ code: 'XX000' });
  });

  it.each(['28P01', '3D000'])('is not a session failure where PostgreSQL refuses the client: %s', (code) => {
    const error = Object.assign(failure(code), { severity: 'FATAL' });
    expect(endsSession(error)).toBe(false);
    expect(translateFailure(error)).toMatchObject({ code });
  });

  it.each(['SQLITE_CORRUPT', '42P01', 'ENOENT'])('is shown unchanged where it does not: %s', (code) => {
    expect(translateFailure(failure(code))).toMatchObject({ code });
  });
});
