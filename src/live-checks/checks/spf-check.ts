import { DomainName, nameOrNull } from '../../dns/name.js';
import { A } from '../../dns/rdata/address-types.js';
import { TXT } from '../../dns/rdata/text-types.js';
import { policyIn } from '../checked-zone.js';
import { problemOf, recordsIn } from '../questions/answers.js';
import type { CheckContext } from './check-context.js';

/** RFC 7208 §4.6.4. */
const MOST_LOOKUPS = 10;
const LOOKUPS: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

interface Term {
  readonly kind: string;
  /** `null`: the domain of the policy, or one with macros. */
  readonly domain: DomainName | null;
}

interface Policy {
  readonly name: string;
  readonly text: string;
}

/** Follows the SPF policies of a zone as receivers of mail do (behaviour 27.8). */
export async function checkPolicies(context: CheckContext): Promise<void> {
  await context.all(
    context.zone.policies.map((policy) => async () => {
      const lookups = await new PolicyWalk(context, policy).follow(policy.text);
      if (lookups <= MOST_LOOKUPS) return;
      const message = `The SPF policy needs more than ${MOST_LOOKUPS} DNS lookups, so receivers reject it. Remove includes.`;
      context.findings.add('spf_too_many_lookups', { name: policy.name, type: TXT.name }, message);
    }),
  );
}

class PolicyWalk {
  private lookups = 0;

  constructor(
    private readonly context: CheckContext,
    private readonly policy: Policy,
  ) {}

  /** Returns the number of lookups. Ends above the limit, so loops end too. */
  async follow(text: string): Promise<number> {
    const terms = termsIn(text);
    for (const { kind, domain } of terms) {
      this.lookups += 1;
      if (this.lookups > MOST_LOOKUPS) break;
      if (domain === null) continue;
      if (kind === 'include' || kind === 'redirect') {
        const next = await this.policyOf(domain, kind);
        if (next !== null) await this.follow(next);
      } else if (kind !== 'exists' && text === this.policy.text) await this.checkName(domain, kind);
    }
    return this.lookups;
  }

  /** RFC 7208 §5.2: an included policy that does not exist makes the whole policy invalid. */
  private async policyOf(domain: DomainName, kind: string): Promise<string | null> {
    const reply = await this.context.questions.resolve(domain, TXT);
    const problem = problemOf(reply, domain);
    const name = domain.toString();
    if (problem?.kind === 'unknown') {
      this.add('target_unknown', `The SPF policy of ${name} is not known: ${problem.text}.`);
      return null;
    }
    const records = reply.message === null ? [] : recordsIn(reply.message, domain, TXT);
    const next = records.map(({ rdata }) => policyIn(rdata)).find((policy) => policy !== null) ?? null;
    if (next === null)
      this.add(
        'spf_missing_policy',
        `${name} has no SPF policy, but the policy has ${kind} for it, so receivers reject the policy. Remove it.`,
      );
    return next;
  }

  private async checkName(domain: DomainName, kind: string): Promise<void> {
    const problem = problemOf(await this.context.questions.resolve(domain, A), domain);
    if (problem?.kind === 'missing')
      this.add('spf_target_missing', `${domain.toString()} does not exist, but the SPF policy has ${kind} for it.`);
  }

  private add(kind: 'target_unknown' | 'spf_missing_policy' | 'spf_target_missing', message: string): void {
    this.context.findings.add(kind, { name: this.policy.name, type: TXT.name }, message);
  }
}

/** The terms that need a lookup (RFC 7208 §4.6.1). */
function termsIn(text: string): Term[] {
  const words = text.toLowerCase().split(/ +/).slice(1);
  const isEnded = words.some((word) => /^[+\-~?]?all$/.test(word));
  return words.flatMap((word) => {
    const [, kind = '', domain = ''] = /^[+\-~?]?([a-z]+)(?:[:=]([^/]*))?/.exec(word) ?? [];
    // RFC 7208 §6.1.
    if (!LOOKUPS.has(kind) || (kind === 'redirect' && isEnded)) return [];
    const isPlain = domain !== '' && !domain.includes('%');
    return [{ kind, domain: isPlain ? nameOrNull(() => DomainName.parse(`${domain.replace(/\.$/, '')}.`)) : null }];
  });
}
