import { DomainName } from '../../dns/name.js';

/** Absolute names by which the operator corrects the Public Suffix List. */
export interface PublicSuffixCorrections {
  readonly added: readonly string[];
  /** These are no public suffixes, whatever the list or `added` says. */
  readonly excepted: readonly string[];
}

/** Names under which everybody may register names of their own: the Public Suffix List, both parts (publicsuffix.org). */
export class PublicSuffixes {
  private readonly added: ReadonlySet<string>;
  private readonly excepted: ReadonlySet<string>;

  constructor({ added, excepted }: PublicSuffixCorrections) {
    this.added = keysOf(added);
    this.excepted = keysOf(excepted);
  }

  /** By the list's rule for names that it does not know, each name of a single label is a suffix too. So is the root. */
  async has(name: DomainName): Promise<boolean> {
    if (name.labelCount === 0) return true;
    if (this.excepted.has(name.key)) return false;
    return this.added.has(name.key) || isListed(name.toString().slice(0, -1).toLowerCase());
  }
}

function keysOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => DomainName.parse(name).key));
}

/** What we ask about is a name already, and no part of a URL. */
const AS_IT_IS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** The list takes 50 ms to load, and most programs never ask. */
async function isListed(name: string): Promise<boolean> {
  const { getPublicSuffix } = await import('tldts');
  return getPublicSuffix(name, AS_IT_IS) === name;
}
