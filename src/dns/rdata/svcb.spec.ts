import { describeType } from '../../testing/describe-type.js';
import { SVCB } from './svcb.js';

describeType(SVCB, {
  accepts: ['0 svc.example.org.', '1 svc4.example.org. alpn="dot"', '1 . alpn="h2" key7="/dns-query{?dns}"'],
  refuses: ['', '1', '0 . no-default-alpn', '1 . no-default-alpn', '1 svc', '1 *.example.org.'],
  loads: [['1 @ alpn=dot', '1 example.org. alpn="dot"']],
  refusesOctets: ['0001', '000100000100'],
});
