import { describe, expect, it } from '@jest/globals';

import { describeType } from '../../testing/describe-type.js';
import { genericType } from './generic.js';

const TYPE65280 = genericType('TYPE65280');
if (!TYPE65280) throw new Error('TYPE65280 is for private use');

describeType(TYPE65280, {
  accepts: [String.raw`\# 0`, String.raw`\# 4 c0000201`, `\\# 65535 ${'ab'.repeat(65535)}`],
  refuses: [
    '',
    String.raw`\#`,
    String.raw`\# 4`,
    String.raw`\# 3 c0000201`,
    String.raw`\# 04 c0000201`,
    String.raw`\# 1 c`,
    String.raw`\# 1 zz`,
    String.raw`\# 65536 00`,
    String.raw`"\#" 0`,
    '# 0',
    '192.0.2.1',
    [String.raw`\# 0`, 0],
  ],
  writes: [[String.raw`\# 4 C000 0201`, String.raw`\# 4 c0000201`]],
  loads: [[String.raw`\# 04 C000 02 01`, String.raw`\# 4 c0000201`]],
});

describe('genericType', () => {
  it('offers a type only by its number', () => {
    expect(genericType('TYPE65280')).toMatchObject({ name: 'TYPE65280', code: 65280, priority: 'none' });
    expect(genericType('A')).toBeUndefined();
    expect(genericType('TYPE1')).toBeUndefined();
  });
});
