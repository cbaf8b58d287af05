import { quoted } from '../../dns/name.js';
import type { RepairKind } from '../../dns/master-file/master-file.js';

/** A change that an import makes to the text of a zone file. */
export interface Repair {
  readonly kind: RepairKind;
  /** The repaired text; for a dropped record its type. */
  readonly text: string;
}

/** All repairs of one kind. Each type of dropped records is a kind. */
export interface ImportRepair extends Repair {
  /** Number of repaired lines. */
  readonly count: number;
  /** The first of them. */
  readonly line: number;
  /** Message for people. */
  readonly message: string;
}

type Describe = (count: number, text: string) => string;

const MESSAGES: Readonly<Record<RepairKind, Describe>> = {
  soa_minimum_as_ttl: () => 'The file has no $TTL: records without a TTL take the minimum of the SOA.',
  soa_owner: () =>
    'The owner name of the SOA lacks its final dot or is the root: it was read as the name of the domain.',
  first_owner: () => 'The first record has no owner name: it was read as a record of the domain itself.',
  placeholder: () => 'The provider left a placeholder for a name server: it was left out.',
  origin_label: () => 'The owner name ends with ".@": it was read without that.',
  record_age: () => 'Windows DNS writes the age of a record before its TTL: it was left out.',
  wins_record: () => 'WINS records are of Windows DNS only: they were left out.',
  hash_comment: () => 'The line begins with "#": it was read as a comment.',
  outside_zone: (count) =>
    count === 1
      ? '1 record at a name outside the domain was left out.'
      : `${count} records at names outside the domain were left out.`,
  apex_ds: () => 'DS of the domain itself stands in its parent zone: it was left out.',
  root_name_server: () => 'The root cannot be a name server: the NS record was left out. Name a host.',
  below_dname: (count) =>
    count === 1
      ? '1 record below a DNAME was left out: the DNAME hides it.'
      : `${count} records below DNAMEs were left out: the DNAMEs hide them.`,
  delegated_dname: () => 'A DNAME beside NS was left out: the delegation hides it.',
  dnssec_record: (count, type) =>
    `dropped ${count} ${type} record${count === 1 ? '' : 's'}: the service makes them when it signs the zone`,
};

export const REPAIR_KINDS = Object.keys(MESSAGES);

const LONGEST_TEXT = 80;

export class ImportRepairs {
  private readonly kinds = new Map<string, { readonly first: Repair & { readonly line: number }; count: number }>();

  add({ repair, line }: { readonly repair: Repair; readonly line: number }): void {
    const { kind, text } = repair;
    const key = kind === 'dnssec_record' ? `${kind} ${text}` : kind;
    const found = this.kinds.get(key);
    if (found === undefined) this.kinds.set(key, { first: { kind, text: shortened(text), line }, count: 1 });
    else found.count += 1;
  }

  list(): ImportRepair[] {
    return [...this.kinds.values()].map(({ first: { kind, text, line }, count }) => ({
      ...{ kind, count, line, text },
      message: MESSAGES[kind](count, text),
    }));
  }
}

export function repairLines(repairs: readonly ImportRepair[]): string[] {
  return repairs.map(({ kind, line, text, message }) =>
    kind === 'dnssec_record' ? message : `line ${line}: ${quoted(text)}: ${message}`,
  );
}

/** RFC 4034, RFC 5155, RFC 7344, RFC 8976. */
export function droppedSignature(type: string): Repair {
  return { kind: 'dnssec_record', text: type };
}

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}
