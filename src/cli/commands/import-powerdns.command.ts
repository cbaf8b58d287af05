import type { CommandContext } from '../../plugins/command.js';
import { type ImportReport, PowerDnsImport } from '../../powerdns/import/powerdns-import.js';
import { keyOf, PowerDnsSource } from '../../powerdns/import/powerdns-source.js';
import { operatorFor } from '../operator.js';

interface Given {
  readonly arguments: readonly string[];
  readonly options: {
    readonly key: string | undefined;
    readonly keyFile: string | undefined;
    readonly tenant: string | undefined;
    readonly isCheck: boolean;
    readonly skipsRefused: boolean;
    readonly leavesKeys: boolean;
  };
}

/** Zones between two progress lines. */
const TOLD_EVERY = 1000;

export async function importFromPowerDns(
  context: CommandContext,
  { arguments: [url = ''], options }: Given,
): Promise<void> {
  const source = new PowerDnsSource({ url, key: await keyOf(options.key, options.keyFile) });
  await context.withServices(async (services) => {
    const caller = { ...operatorFor(options.tenant ?? 'admin'), allTenants: false };
    const importing = new PowerDnsImport(services, source, caller, !options.leavesKeys);
    const ids = await source.zones();
    console.log(`${ids.length} zones at ${url}`);
    const checked = await importing.check(ids, counting('checked', ids.length));
    tell('can be imported', checked);
    if (checked.counts.refused > 0) process.exitCode = 1;
    if (options.isCheck) return;
    if (checked.counts.refused > 0 && !options.skipsRefused)
      throw new Error('nothing was imported: mend what is refused, or leave it out with --skip-refused');
    const taken = await importing.take(ids, counting('imported', ids.length));
    tell('imported', taken);
    if (taken.counts.refused > 0) process.exitCode = 1;
  });
}

function tell(what: string, report: ImportReport): void {
  const { imported, signed, already, refused, rrsets } = report.counts;
  const sets = rrsets > 0 ? ` with ${rrsets} record sets` : '';
  for (const line of report.lines()) console.log(line);
  const keys = signed > 0 ? `, ${signed} of them with their DNSSEC keys` : '';
  console.log(`${imported} zones ${what}${sets}${keys}, ${already} are there already, ${refused} are refused`);
}

function counting(what: string, all: number): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count % TOLD_EVERY === 0) console.log(`${what} ${count} of ${all}`);
  };
}
