import type { CommandContext } from '../../plugins/command.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import type { CommandRequest, List } from '../arguments.js';
import { DiffDrawing, drawingForOutput, withoutControls } from '../diff-drawing.js';
import { operatorFor, zoneNamed } from '../operator.js';
import { ReportOutput, startProgress } from '../terminal.js';
import { FolderExport } from '../zone-folders/folder-export.js';
import { readOwner, readPlanOptions } from '../zone-folders/plan-options.js';
import { PlanFile } from '../zone-folders/plan-file.js';
import { JsonReport, MarkdownReport, type PlanReport, Summary, TextReport } from '../zone-folders/plan-reports.js';
import { messageOf } from '../zone-folders/sources/source-text.js';
import { type Format, ZoneFolder } from '../zone-folders/zone-folder.js';
import { type ZonePlan, ZonePlanner } from '../zone-folders/zone-planner.js';

interface FolderOptions {
  readonly tenant: string | undefined;
  readonly creates: boolean;
  readonly email: string | undefined;
  readonly variables: List;
  readonly maxDeletes: string | undefined;
  readonly owner: string | undefined;
  readonly adopts: boolean;
  readonly isJson: boolean;
  readonly isMarkdown: boolean;
}

/** The exit code of a plan with changes (behaviour 17.8). */
const CHANGES = 2;

export async function planFolder(
  context: CommandContext,
  { arguments: [directory = ''], options }: CommandRequest<FolderOptions & { readonly out: string | undefined }>,
): Promise<void> {
  const plans: ZonePlan[] = [];
  const summary = new Summary(false);
  await onFolder(context, directory, { ...options, message: undefined }, summary, async (plan) => {
    if (options.out !== undefined) plans.push({ ...plan, differences: [] });
    return { ...plan, appliedSerial: null };
  });
  if (options.out !== undefined) await PlanFile.of(plans, options).write(options.out);
  process.exitCode = summary.zones.refused > 0 ? 1 : summary.hasChanges ? CHANGES : 0;
}

interface ApplyOptions extends FolderOptions {
  readonly plan: string | undefined;
  readonly message: string | undefined;
}

export async function applyFolder(
  context: CommandContext,
  { arguments: [directory = ''], options }: CommandRequest<ApplyOptions>,
): Promise<void> {
  const planned = options.plan === undefined ? null : await PlanFile.read(options.plan, options);
  const summary = new Summary(true);
  await onFolder(context, directory, options, summary, async (plan, planner) => {
    const isOpen = plan.state === 'create' || plan.state === 'change';
    if (!isOpen) return { ...plan, appliedSerial: null };
    const objection = planned?.objection(plan) ?? null;
    const failed = (message: string) => ({ ...plan, appliedSerial: null, errors: message.split('\n') });
    if (objection !== null) return failed(objection);
    return planner.apply(plan).then(
      (appliedSerial) => ({ ...plan, appliedSerial }),
      (error: unknown) => failed(messageOf(error)),
    );
  });
  process.exitCode = summary.zones.refused > 0 ? 1 : 0;
}

type Handle = (plan: ZonePlan, planner: ZonePlanner) => Promise<ZonePlan & { readonly appliedSerial: number | null }>;

/** Plans one zone after the other, and reports each. */
async function onFolder(
  context: CommandContext,
  directory: string,
  options: FolderOptions & Pick<ApplyOptions, 'message'>,
  summary: Summary,
  handle: Handle,
): Promise<void> {
  const output = new ReportOutput();
  const report = reportOf(options);
  const planOptions = readPlanOptions(options);
  const folder = await ZoneFolder.open(directory, options.variables ?? []);
  await context.withServices(async (services) => {
    const planner = new ZonePlanner(services, folder, planOptions);
    const progress = await startProgress('zones', folder.entries.length, 'zones');
    try {
      for (const entry of folder.entries) {
        const reported = await handle(await planner.plan(entry), planner);
        summary.add(reported);
        await output.write(report.zone(reported));
        for (const message of reported.errors) console.error(withoutControls(message));
        progress.advance(1);
      }
    } finally {
      progress.end();
    }
  });
  await output.write(report.end(summary));
}

function reportOf({ isJson, isMarkdown }: FolderOptions): PlanReport {
  if (isJson && isMarkdown) throw new Error('choose --json or --markdown');
  if (isJson) return new JsonReport();
  return isMarkdown ? new MarkdownReport(new DiffDrawing(false)) : new TextReport(drawingForOutput());
}

interface ExportOptions {
  readonly tenant: string | undefined;
  readonly owner: string | undefined;
  readonly format: string | undefined;
}

export async function exportFolder(
  context: CommandContext,
  { arguments: [directory = '', ...names], options }: CommandRequest<ExportOptions>,
): Promise<void> {
  const format = parseFormat(options.format ?? 'zone');
  const owner = options.owner === undefined ? null : readOwner(options.owner);
  await context.withServices(async (services) => {
    const folder = await FolderExport.into(services, directory, format, owner);
    const counts = { written: 0, unowned: 0, secondary: 0, refused: 0 };
    const zones = names.length > 0 ? namedZones(names) : allZones();
    for await (const zone of zones) {
      if (zone.type !== 'PRIMARY') counts.secondary += 1;
      else
        await folder.write(zone).then(
          (isWritten) => (counts[isWritten ? 'written' : 'unowned'] += 1),
          (error: unknown) => {
            counts.refused += 1;
            console.error(withoutControls(`${zone.name}: ${messageOf(error)}`));
          },
        );
    }
    if (counts.refused > 0) process.exitCode = 1;
    const unowned = owner === null ? '' : `, ${counts.unowned} without records of ${owner} left out`;
    console.log(
      `${counts.written} zones written to ${directory}${unowned}, ${counts.secondary} secondary zones left out, ${counts.refused} refused`,
    );

    async function* namedZones(all: readonly string[]): AsyncGenerator<ZoneEntity> {
      for (const name of all) {
        const zone = await zoneNamed(services, name);
        if (options.tenant !== undefined && zone.tenantId !== options.tenant)
          throw new Error(`${zone.name} belongs to the tenant ${zone.tenantId}`);
        yield zone;
      }
    }

    async function* allZones(): AsyncGenerator<ZoneEntity> {
      const { tenant } = options;
      const caller = { ...operatorFor(tenant ?? 'admin'), allTenants: tenant === undefined };
      for (let marker = ''; ;) {
        const page = await services.get(ZonesService).page(caller, marker, 500);
        yield* page.entries;
        const last = page.entries.at(-1);
        if (page.isLast || last === undefined) return;
        marker = last.id;
      }
    }
  });
}

function parseFormat(text: string): Format {
  if (text === 'zone' || text === 'yaml') return text;
  throw new Error(`--format ${JSON.stringify(text)}: write zone or yaml`);
}
