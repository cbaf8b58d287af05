import { DomainName } from '../../dns/name.js';
import { A, AAAA } from '../../dns/rdata/address-types.js';
import { isRename, type Target } from '../checked-zone.js';
import { addressesIn, chainOf, problemOf } from '../questions/answers.js';
import type { CheckContext } from './check-context.js';

/** Looks up the names outside the zone that its records lead to (behaviour 27.7). */
export async function checkTargets(context: CheckContext): Promise<void> {
  const suffixes = context.options.registrableSuffixes.map((suffix) => DomainName.parse(suffix));
  await context.all(
    context.zone.targets.map(
      (target) => () =>
        isRename({ name: target.type }) ? checkRename(context, target, suffixes) : checkHost(context, target),
    ),
  );
}

/** A name that an alias leads to needs to exist; only its owner knows which data it should have. */
async function checkRename(
  { questions, findings }: CheckContext,
  about: Target,
  suffixes: readonly DomainName[],
): Promise<void> {
  const reply = await questions.resolve(about.target, A);
  const problem = problemOf(reply, about.target);
  const name = about.target.toString();
  if (problem?.kind === 'unknown') findings.add('target_unknown', about, `${name} is not known: ${problem.text}.`);
  if (problem?.kind !== 'missing') return;
  const chain = (reply.message && chainOf(reply.message, about.target)) ?? [about.target];
  const released = chain.find((link) => suffixes.some((suffix) => link.isWithin(suffix) && !link.equals(suffix)));
  if (released === undefined)
    findings.add('dangling_target', about, `The target ${name} does not exist. Correct the record, or delete it.`);
  else
    findings.add(
      'takeover_risk',
      about,
      `The target ${released.toString()} does not exist. Anyone may register it at its provider, and answer for this name.` +
        ' Delete the record, or register the target.',
    );
}

async function checkHost({ questions, findings }: CheckContext, about: Target): Promise<void> {
  const { target } = about;
  const name = target.toString();
  for (const type of [A, AAAA]) {
    const reply = await questions.resolve(target, type);
    const problem = problemOf(reply, target);
    if (problem?.kind === 'unknown') {
      findings.add('target_unknown', about, `The addresses of ${name} are not known: ${problem.text}.`);
      return;
    }
    if (problem?.kind === 'missing') {
      findings.add('target_missing', about, `The target ${name} does not exist. Correct it, or delete the record.`);
      return;
    }
    if (reply.message !== null && addressesIn(reply.message, target, type).length > 0) return;
  }
  findings.add(
    'target_without_address',
    about,
    `The target ${name} has no A or AAAA record. Correct it, or its records.`,
  );
}
