import { describe, expect, it } from '@jest/globals';

import { isCookie, ServerCookies, sipHash } from './cookies.js';

describe('sipHash', () => {
  it.each([
    ['', '310e0edd47db6f72'],
    ['00', 'fd67dc93c539f874'],
    ['00010203040506', '37d1018bf50002ab'],
    ['0001020304050607', '6224939a79f5f593'],
    ['000102030405060708090a0b0c0d0e', 'e545be4961ca29a1'],
  ])('of %j equals that of its authors', (data, hash) => {
    const key = octets('000102030405060708090a0b0c0d0e0f');
    expect(sipHash(key, octets(data)).toString('hex')).toBe(hash);
  });
});

/** RFC 9018, appendix A: cookies of all vendors match. */
describe('ServerCookies of RFC 9018', () => {
  const secret = octets('e5e973e5a6b2a43f48e7dc849e37bfcf');
  const client = Uint8Array.of(198, 51, 100, 100);
  const cookies = new ServerCookies(secret);
  const given = octets('2464c4abcf10c957010000005cf79f111f8130c3eee29480');
  const renewed = '2464c4abcf10c957010000005cf7a871d4a564a1442aca77';
  const time = 0x5cf79f11;

  it('gives a cookie to a client without one (A.1)', () => {
    expect(judged(octets('2464c4abcf10c957'), time)).toEqual([false, hex(given)]);
  });

  it('accepts that cookie, and renews it (A.2)', () => {
    expect(judged(given, 0x5cf7a871)).toEqual([true, renewed]);
  });

  it('accepts a cookie with reserved octets of another server (A.3)', () => {
    const cookie = octets('fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5');
    const { isValid } = cookies.judge(cookie, Uint8Array.of(203, 0, 113, 203), 0x5cf78f71 + 60);
    expect(isValid).toBe(true);
  });

  it('accepts a cookie of the previous secret, from an IPv6 address, and renews it with the current one (A.4)', () => {
    const both = new ServerCookies(
      octets('445536bcd2513298075a5d379663c962'),
      octets('dd3bdf9344b678b185a6f5cb60fca715'),
    );
    const address = octets('20010db80220000159ded0f4876982b8');
    const { isValid, answer } = both.judge(
      octets('22681ab97d52c298010000005cf7c57926556bd0934c72f8'),
      address,
      0x5cf7c609,
    );
    expect([isValid, hex(answer)]).toEqual([true, '22681ab97d52c298010000005cf7c609a6bb79d16625507a']);
  });

  it.each([
    ['now', 0, true],
    ['an hour old', 3600, true],
    ['older', 3601, false],
    ['made by a clock five minutes ahead', -300, true],
    ['made by a clock further ahead', -301, false],
  ])('takes a cookie or not when it is %s (§4.3)', (_, age, isValid) => {
    expect(judged(given, time + age)[0]).toBe(isValid);
  });

  it('compares times across the end of 32 bits (§4.3)', () => {
    const { answer } = cookies.judge(given, client, 2 ** 32 - 10);
    expect(judged(answer, 2 ** 32 + 10)[0]).toBe(true);
  });

  it.each([
    ['another client', 0],
    ['another version', 8],
    ['another time', 15],
    ['another hash', 23],
  ])('does not take it with an octet of %s', (_, at) => {
    const forged = Uint8Array.from(given);
    forged[at]! ^= 1;
    expect(judged(forged, time)[0]).toBe(false);
  });

  it('does not take it from another address, nor one of another length', () => {
    expect(cookies.judge(given, Uint8Array.of(198, 51, 100, 101), time).isValid).toBe(false);
    expect(judged(given.subarray(0, 16), time)[0]).toBe(false);
  });

  function judged(option: Uint8Array, now: number): [boolean, string] {
    const { isValid, answer } = cookies.judge(option, client, now);
    return [isValid, hex(answer)];
  }
});

describe('isCookie', () => {
  it('lists the valid lengths of a COOKIE option (RFC 7873 §4)', () => {
    const lengths = Array.from({ length: 50 }, (_, length) => length).filter((length) =>
      isCookie(new Uint8Array(length)),
    );
    expect(lengths).toEqual([8, ...Array.from({ length: 25 }, (_, at) => 16 + at)]);
  });
});

function octets(text: string): Uint8Array {
  return Buffer.from(text, 'hex');
}

function hex(data: Uint8Array): string {
  return Buffer.from(data).toString('hex');
}
