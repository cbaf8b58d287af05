/**
 * A literal (RFC 6570 §2.1): no control, space, quote, `%` outside of an octet in hexadecimal, `<`, `>`, `\`, `^`, backquote,
 * `{`, `|` or `}`.
 */
const LITERAL =
  /^(?:[!#$&()*+,\-./0-9:;=?@A-Z[\]_a-z~\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10fffd}]|%[0-9A-Fa-f]{2})+/u;

/** RFC 6570 §2.2: an expression without the operators that are kept for the future, `= , ! @ |`. */
const EXPRESSION = /^\{([+#./;?&]?)([^{}]*)\}/;

/** RFC 6570 §2.3, §2.4: a name without dots, which BIND does not take, with a length or a star, or neither. */
const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)(?::[1-9][0-9]{0,3}|\*)?$/;

/** The variables of a URI template of any level (RFC 6570 §2); undefined for a text that is none. */
export function variablesOfTemplate(text: string): string[] | undefined {
  const variables: string[] = [];
  for (let rest = text; rest !== '';) {
    const literal = LITERAL.exec(rest)?.[0];
    if (literal !== undefined) {
      rest = rest.slice(literal.length);
      continue;
    }
    const [expression, , list] = EXPRESSION.exec(rest) ?? [];
    if (expression === undefined || list === undefined) return undefined;
    for (const variable of list.split(',')) {
      const name = VARIABLE.exec(variable)?.[1];
      if (name === undefined) return undefined;
      variables.push(name);
    }
    rest = rest.slice(expression.length);
  }
  return variables;
}

/** RFC 9461 §5: the path of a DNS server over HTTPS begins with `/`, and resolvers fill in the variable `dns`. */
export function isDohPath(octets: Uint8Array): boolean {
  try {
    const text = UTF8.decode(octets);
    return text.startsWith('/') && variablesOfTemplate(text)?.includes('dns') === true;
  } catch {
    return false;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
