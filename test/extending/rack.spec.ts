import { RACK } from '../../examples/acme/rack.js';
import { describeType } from '../../src/testing/index.js';

describeType(RACK, {
  accepts: ['"" U1', 'a U60', '"room 7" U12'],
  refuses: ['', '"room 7"', '"room 7" U0', '"room 7" U61', '"room 7" 12', '"room 7" U12 U13', ['"room 7" U12', 10]],
  writes: [['room7 U12', '"room7" U12']],
  loads: [['room7 U12', '"room7" U12']],
  refusesOctets: ['', '00', '0000', '003d', '000101'],
});
