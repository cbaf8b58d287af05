import fc from 'fast-check';

/** Lines of a zone file for example.org. in many styles, behind SOA and NS; every name server should load them. */
export function randomLines(): fc.Arbitrary<string> {
  return fc.array(fc.oneof({ weight: 8, arbitrary: record() }, directive(), filling()), { maxLength: 25 }).map(inOrder);
}

/** One line with an octet added, removed or changed. */
export function mutatedLines(): fc.Arbitrary<string> {
  const mutation = fc.tuple(fc.nat(), fc.constantFrom('', ...'"();\\$@. \t\nx9-=#'), fc.nat(1));
  return fc.tuple(randomLines(), fc.array(mutation, { minLength: 1, maxLength: 3 })).map(([lines, mutations]) =>
    mutations.reduce((text, [place, character, removed]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + character + text.slice(at + removed);
    }, lines),
  );
}

/** A line for the owner that stands there, whose place in the file is known only when all lines are. */
type Line = (at: number) => string;

/** A line that begins with a blank needs an earlier owner. */
function inOrder(lines: readonly Line[]): string {
  return ['start TXT x', ...lines.map((line, at) => line(at))].join('\n') + '\n';
}

/** A CNAME excludes other records, so it has a unique name that no line can inherit. */
function record(): fc.Arbitrary<Line> {
  const owner = fc.oneof(
    fc.constantFrom(
      '',
      '',
      '@',
      'a',
      'A.b',
      '*.w',
      'a.example.org.',
      'x.Example.ORG.',
      '\\097',
      'es\\.caped',
      '\\064\\000',
      '_sip._tcp',
    ),
    fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/),
  );
  return fc.oneof(
    fc.tuple(owner, header(), data()).chain(([name, before, items]) => laidOut(name, [...before, ...items])),
    fc
      .tuple(fc.constant('c#'), header(), name())
      .chain(([own, before, target]) => laidOut(own, [...before, 'CNAME', target]))
      .map((line) => (at: number) => `${line(at)}\nafter TXT x`),
  );
}

/** TTL and class in any order, or none of them. */
function header(): fc.Arbitrary<readonly string[]> {
  const ttl = fc.constantFrom('0', '300', '1h', '1w2d3H4m5S', '2147483647', '060');
  const internet = fc.constantFrom('IN', 'in', 'CLASS1');
  return fc.oneof(fc.constant([]), fc.tuple(ttl), fc.tuple(internet), fc.tuple(ttl, internet), fc.tuple(internet, ttl));
}

function data(): fc.Arbitrary<readonly string[]> {
  const number = fc.nat(65535).map(String);
  return fc.oneof(
    fc.tuple(fc.constantFrom('A', 'a', 'TYPE1'), fc.ipV4()),
    fc.tuple(fc.constantFrom('AAAA', 'aaaa'), fc.ipV6()),
    fc.tuple(fc.constant('A'), fc.constant('\\#'), fc.constantFrom('4'), fc.constantFrom('c0000201', 'C00002FF')),
    fc.tuple(
      fc.constant('TYPE65280'),
      fc.constant('\\#'),
      fc.constant('3'),
      fc.constantFrom('0a0B0c'),
      fc.constant(''),
    ),
    fc.tuple(fc.constant('MX'), number, hostName()),
    fc.tuple(fc.constant('SRV'), number, number, number, hostName()),
    fc.tuple(fc.constant('PTR'), name()),
    fc.array(text(), { minLength: 1, maxLength: 4 }).map((strings) => ['TXT', ...strings]),
  );
}

function hostName(): fc.Arbitrary<string> {
  return fc.constantFrom('@', 'mail', 'mail.example.net.', 'MAIL.sub', 'a-b_c.example.org.');
}

function name(): fc.Arbitrary<string> {
  return fc.oneof(hostName(), fc.constantFrom('.', 'a\\.b', '\\200.x', '\\"q\\;', 'b\\032c.example.net.'));
}

/** Octets in quotes or bare, as themselves or escaped. */
function text(): fc.Arbitrary<string> {
  const bare = fc.constantFrom(
    'a',
    'Z',
    '0',
    '=',
    '@',
    '$',
    ',',
    '\\;',
    '\\"',
    '\\\\',
    '\\(',
    '\\ ',
    '\\000',
    '\\065',
    '\\255',
    "'",
  );
  const inQuotes = fc.oneof(bare, fc.constantFrom(' ', ';', '(', ')', '\t', '$INCLUDE ', 'é'));
  return fc.oneof(
    fc.array(bare, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(inQuotes, { maxLength: 12 }).map((parts) => `"${parts.join('')}"`),
  );
}

/** Blanks between the items, or parentheses with line ends and comments inside. */
function laidOut(owner: string, items: readonly string[]): fc.Arbitrary<Line> {
  const wide = fc.constantFrom(' ', '\n', '\n\t ', ' ; comment ( "\n  ', '\r\n', '\n\n');
  const last = items.length;
  return fc
    .record({
      blanks: fc.array(fc.constantFrom(' ', '\t', '  \t'), { minLength: last + 2, maxLength: last + 2 }),
      breaks: fc.array(wide, { minLength: last + 2, maxLength: last + 2 }),
      opened: fc.option(fc.nat(last), { nil: last + 1 }),
      closed: fc.nat(last),
      end: fc.constantFrom('', ' ', ' ; comment', ';"touching (', '\t\t'),
    })
    .map(({ blanks, breaks, opened, closed, end }) => (at) => {
      const closedBy = Math.max(opened, closed);
      let line = owner.replace('#', String(at));
      for (let i = 0; i <= last; i++) {
        line += (i > opened && i <= closedBy ? breaks[i] : blanks[i]) ?? ' ';
        if (i === opened) line += '(';
        line += items[i] ?? '';
        if (opened <= last && i === closedBy) line += ')';
      }
      return line + end;
    });
}

function directive(): fc.Arbitrary<Line> {
  return fc
    .constantFrom(
      '$TTL 5m',
      '$ttl 77 ; comment',
      '$ORIGIN sub.example.org.',
      '$ORIGIN example.org.',
      '$ORIGIN deep',
      '$ORIGIN @',
    )
    .map((line) => () => line);
}

function filling(): fc.Arbitrary<Line> {
  return fc
    .constantFrom('', '   ', '; comment ( "', '\t; $INCLUDE x', '()', '$GENERATE 1-3 g${0,3,x} TXT "$ ${-1}"')
    .map((line) => () => line);
}
