import { DomainName } from '../../dns/name.js';

/** Absolute names. */
export interface PublicSuffixCorrections {
  readonly added: readonly string[];
  /** Not public suffixes, even if the list or `added` has them. */
  readonly excepted: readonly string[];
}

/** Names under which the public registers names: both parts of the Public Suffix List (publicsuffix.org). */
export class PublicSuffixes {
  private readonly added: ReadonlySet<string>;
  private readonly excepted: ReadonlySet<string>;

  constructor({ added, excepted }: PublicSuffixCorrections) {
    this.added = keysOf(added);
    this.excepted = keysOf(excepted);
  }

  /** By the default rule of the list, unknown names of one label are suffixes. So is the root. */
  async has(name: DomainName): Promise<boolean> {
    if (name.labelCount === 0) return true;
    if (this.excepted.has(name.key)) return false;
    return this.added.has(name.key) || isListed(name.toString().slice(0, -1).toLowerCase());
  }
}

function keysOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => DomainName.parse(name).key));
}

/** The text is a name, not a URL. */
const AS_IT_IS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** Loading the list takes 50 ms, and most commands do not need it. */
async function isListed(name: string): Promise<boolean> {
  const { getPublicSuffix } = await import('tldts');
  return getPublicSuffix(name, AS_IT_IS) === name;
}
