import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});
beforeEach(async () => {
  zone = await newDomain(service);
});

const DNAME = 'd 300 DNAME example.net.\n';

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('');
}

describe('names that a DNAME of a large file hides', () => {
  it('15.3 are skipped as in a small file', async () => {
    const others = lines(6000, (at) => `h${at} 300 TXT "${'x'.repeat(40)}"\n`);
    expect(await zone.import(`a.d 300 A 192.0.2.1\n${others}${DNAME}`)).toMatchObject({
      created: 6001,
      repairs: [{ kind: 'below_dname', count: 1, line: 1 }],
    });
  });

  it('15.3 are errors that name the conflicting line after 10,000 DNAMEs', async () => {
    const others = lines(10_000, (at) => `h${at} 300 DNAME example.net.\n`);
    const { name } = zone;
    expect(await zone.refuse(`${others}${DNAME}a.d 300 A 192.0.2.1\n`)).toEqual([
      `10002:1 a.d.${name} lies below the DNAME of line 10001, which hides it: leave one of them out.`,
    ]);
    expect(await zone.refuse(`${others}a.d 300 A 192.0.2.1\n${DNAME}`)).toEqual([
      `10002:1 The name in line 10001 lies below d.${name}, and its DNAME hides it: leave one of them out.`,
    ]);
  });
});
