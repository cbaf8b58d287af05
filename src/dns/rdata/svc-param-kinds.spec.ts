import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDohPath, variablesOfTemplate } from './svc-param-kinds.js';

describe('variablesOfTemplate', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['/dns-query{?dns}', ['dns']],
    ['/q?x=1{&dns}', ['dns']],
    ['/{dns}', ['dns']],
    ['/{?x,dns}', ['x', 'dns']],
    ['/{+a}{#b}{.c}{/d}{;e}{?f*,g:3}', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['/%C3%A9/é/{a%20_1:9999}', ['a%20_1']],
  ])('of %s are %j', (template, variables) => {
    expect(variablesOfTemplate(template)).toEqual(variables);
  });

  it.each([
    ...[
      '/%a{?dns}',
      '/%',
      '/{',
      '/}',
      '/{}',
      '/{?}',
      '/{?dns',
      '/{dns,}',
      '/{?a b}',
      '/{{dns}}',
      '/{dns:0}',
      '/{dns:10000}',
    ],
    ...[
      '/{dns**}',
      '/{=dns}',
      '/{!dns}',
      '/{|dns}',
      '/{a.b}',
      '/ ',
      '/"',
      "/'",
      '/<',
      '/\\',
      '/^',
      '/`',
      '/|',
      '/\u0000',
      '/\u007f',
    ],
  ])('are none in %j', (template) => {
    expect(variablesOfTemplate(template)).toBeUndefined();
  });

  it('equal the input of a template, for any values', () => {
    const literal = fc.constantFrom('/', '/a-b', '%2F', '?x=1', 'é', '~.:@');
    const variable = fc.record({
      name: fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/),
      modifier: fc.constantFrom('', '*', ':3'),
    });
    const expression = fc.record({
      operator: fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'),
      list: fc.array(variable, { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(literal, expression), { maxLength: 4 }), (parts) => {
        const text = parts.map(
          ([before, { operator, list }]) =>
            `${before}{${operator}${list.map(({ name, modifier }) => name + modifier).join(',')}}`,
        );
        const names = parts.flatMap(([, { list }]) => list.map(({ name }) => name));
        expect(variablesOfTemplate(text.join(''))).toEqual(names);
      }),
    );
  });

  it('handle any text without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}?&,:*%a0dns/ é') }), (text) => {
        const variables = variablesOfTemplate(text);
        if (variables !== undefined) for (const name of variables) expect(text).toContain(name);
      }),
    );
  });
});

it('a DoH path begins with a slash and has the variable dns', () => {
  for (const path of ['/{?dns}', '/é{?dns}']) expect(isDohPath(Buffer.from(path))).toBe(true);
  for (const path of ['{?dns}', '/{?DNS}', '/', 'https://example.org/{?dns}'])
    expect(isDohPath(Buffer.from(path))).toBe(false);
  expect(isDohPath(Buffer.from('2f7b3f646e737dff', 'hex'))).toBe(false);
});
