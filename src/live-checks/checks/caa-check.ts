import { DomainName } from '../../dns/name.js';
import { keysAbove, wireOfKey } from '../../dns/name-key.js';
import { CAA } from '../../dns/rdata/caa.js';
import { problemOf, recordsIn, valuesIn } from '../questions/answers.js';
import type { CheckContext } from './check-context.js';

type Properties = readonly { readonly tag: Uint8Array; readonly value: Uint8Array }[];

/** Whether CAA records allow the configured certificate authorities (behaviour 27.9). */
export async function checkCaa({ zone, questions, findings, options: { issuers } }: CheckContext): Promise<void> {
  if (issuers.length === 0) return;
  const compare = (name: string, owner: string, properties: Properties): void => {
    const forbidden = issuers.filter((issuer) => !allows(properties, issuer));
    if (forbidden.length > 0)
      findings.add(
        'caa_forbids_issuer',
        { name, type: CAA.name },
        `The CAA records of ${owner} forbid certificates of ${forbidden.join(', ')}. Add an issue record for it.`,
      );
  };
  for (const { name, rdatas } of zone.caaSets)
    compare(
      name.toString(),
      name.toString(),
      valuesIn(
        rdatas.map((rdata) => ({ rdata })),
        CAA,
      ),
    );
  if (zone.caaSets.some(({ name }) => name.equals(zone.apex))) return;
  // RFC 8659 §3: the closest set above counts.
  for (const key of keysAbove(zone.apex.key).reverse()) {
    if (key === '') return;
    const above = DomainName.read(wireOfKey(key));
    const reply = await questions.resolve(above, CAA);
    const problem = problemOf(reply, above);
    const about = { name: zone.apex.toString(), type: CAA.name };
    if (problem?.kind === 'unknown') {
      findings.add(
        'target_unknown',
        about,
        `The CAA records of ${above.toString()} are not known: ${problem.text}. Authorities issue nothing meanwhile.`,
      );
      return;
    }
    const found = reply.message === null ? [] : recordsIn(reply.message, above, CAA);
    if (found.length > 0) {
      compare(about.name, above.toString(), valuesIn(found, CAA));
      return;
    }
  }
}

/** RFC 8659 §4.2. */
function allows(properties: Properties, issuer: string): boolean {
  const issue = properties.filter(({ tag }) => textOf(tag).toLowerCase() === 'issue');
  return issue.length === 0 || issue.some(({ value }) => textOf(value).split(';')[0]?.trim().toLowerCase() === issuer);
}

function textOf(octets: Uint8Array): string {
  return Buffer.from(octets).toString('latin1');
}
