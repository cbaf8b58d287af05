import { DomainName } from '../../dns/name.js';
import type { CommandContext, Services } from '../../plugins/command.js';
import { AnswerCheck, type CheckedZone } from '../../publishing/pool/answer-check.js';
import type { WantedZone } from '../../publishing/pool/publication.repository.js';
import { PublishingOptions } from '../../publishing/publishing.options.js';
import { servedSerial } from '../../zones/serials/serial.js';
import { withoutControls } from '../diff-drawing.js';
import { absoluteName, zoneNamed } from '../operator.js';
import { type CommandRequest, parseNumber } from '../arguments.js';

/** NSD answers 200 queries a second, and Zonewright queries it too. */
const HIGHEST_RATE = 100;
/** Milliseconds between two progress lines. */
const PROGRESS_INTERVAL = 10_000;
const CURE =
  'where answers are wrong, on PowerDNS delete the metadata IXFR and run pdnsutil rectify-all-zones, on others transfer the' +
  ' domain as a whole; docs/publishing.md, "When a server lags", has the commands';

export async function checkPool(
  context: CommandContext,
  {
    arguments: names,
    options: { after, rate = String(HIGHEST_RATE) },
  }: CommandRequest<{ readonly after: string | undefined; readonly rate: string | undefined }>,
): Promise<void> {
  if (after !== undefined && names.length > 0)
    throw new Error('--after goes with all domains: name none, or leave it out');
  const perSecond = parseNumber('--rate', rate, 1, HIGHEST_RATE);
  const start = after === undefined ? null : nameAfter(after);
  const report = new Report();
  await context.withServices(async (services) => {
    if (services.get(PublishingOptions).servers.length === 0)
      throw new Error('there are no name servers in [service:mdns] secondaries');
    const check = services.get(AnswerCheck);
    const zones = names.length === 0 ? check.allZones(start) : zonesNamed(services, names);
    for await (const zone of check.run(zones, perSecond)) report.add(zone);
  });
  report.end();
}

function nameAfter(text: string): DomainName {
  try {
    return DomainName.parse(absoluteName(text));
  } catch {
    throw new Error(`--after ${JSON.stringify(text)}: write the name of a domain`);
  }
}

async function* zonesNamed(services: Services, names: readonly string[]): AsyncGenerator<WantedZone> {
  for (const name of names) {
    const zone = await zoneNamed(services, name);
    yield { id: zone.id, name: zone.name, serial: servedSerial(zone) };
  }
}

class Report {
  private zones = 0;
  private sets = 0;
  private differing = 0;
  private printedAt = performance.now();

  add({ name, sets, findings }: CheckedZone): void {
    this.zones += 1;
    this.sets += sets;
    if (findings.size > 0) this.differing += 1;
    for (const [server, finding] of findings) console.log(withoutControls(`${name} on ${server}: ${finding}`));
    if (performance.now() - this.printedAt < PROGRESS_INTERVAL) return;
    this.printedAt = performance.now();
    console.error(`${this.counts}; to continue from here later: --after ${withoutControls(name)}`);
  }

  end(): void {
    console.log(this.counts);
    if (this.differing > 0) throw new Error(`name servers differ from ${domains(this.differing)}; ${CURE}`);
  }

  private get counts(): string {
    return `checked ${domains(this.zones)} with ${this.sets} record ${this.sets === 1 ? 'set' : 'sets'}`;
  }
}

function domains(count: number): string {
  return `${count} ${count === 1 ? 'domain' : 'domains'}`;
}
