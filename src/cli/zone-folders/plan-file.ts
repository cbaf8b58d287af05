import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { ZonePlan } from './zone-planner.js';

const FORM = 2;
const MAX_OCTETS = 67_108_864;

/** The state in which a zone was planned. */
interface PlannedZone {
  readonly name: string;
  /** `null`: the zone did not exist. */
  readonly id: string | null;
  readonly version: number | null;
  readonly digest: string;
}

interface PlanOwner {
  readonly owner?: string | undefined;
  readonly adopts: boolean;
}

/** The zones of a plan with the versions that it was made for (behaviour 17.9). It has no records. */
export class PlanFile {
  private constructor(
    private readonly zones: ReadonlyMap<string, PlannedZone>,
    private readonly owner: PlanOwner,
  ) {}

  static of(plans: Iterable<ZonePlan>, { owner, adopts }: PlanOwner): PlanFile {
    const zones = [...plans].flatMap(({ entry: { name }, zone, source, state }): PlannedZone[] =>
      source === null || state === 'refused'
        ? []
        : [{ name, id: zone?.id ?? null, version: zone?.version ?? null, digest: source.digest }],
    );
    return new PlanFile(new Map(zones.map((zone) => [zone.name, zone])), { owner, adopts });
  }

  /** @throws Error for a file of another form, or a plan for another owner */
  static async read(path: string, { owner, adopts }: PlanOwner): Promise<PlanFile> {
    if ((await stat(path)).size > MAX_OCTETS) throw notAPlan(path);
    const content = parse(await readFile(path, 'utf8')) as SavedPlan | null;
    if (content?.zonewright_plan !== FORM || !Array.isArray(content.zones) || !content.zones.every(isPlannedZone))
      throw notAPlan(path);
    if (content.owner !== owner || content.adopts !== adopts)
      throw new Error(`${path} was made with other options: apply it with the same --owner and --adopt`);
    return new PlanFile(new Map(content.zones.map((zone) => [zone.name, zone])), { owner, adopts });
  }

  async write(path: string): Promise<void> {
    const unfinished = `${path}.part`;
    await writeFile(
      unfinished,
      `${JSON.stringify({ zonewright_plan: FORM, ...this.owner, zones: [...this.zones.values()] }, null, 1)}\n`,
    );
    await rename(unfinished, path);
  }

  /** Why the plan does not stand for this zone any more; `null`: it does. */
  objection({ entry: { name }, zone, source }: ZonePlan): string | null {
    const planned = this.zones.get(name);
    if (planned === undefined) return `${name} is not in the plan: plan again`;
    if (source?.digest !== planned.digest) return `the file of ${name} has changed since the plan: plan again`;
    if ((zone?.id ?? null) === planned.id && (zone?.version ?? null) === planned.version) return null;
    return `${name} has changed since the plan: plan again`;
  }
}

interface SavedPlan extends Partial<PlanOwner> {
  readonly zonewright_plan?: unknown;
  readonly zones?: unknown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPlannedZone(value: unknown): value is PlannedZone {
  if (typeof value !== 'object' || value === null) return false;
  const { name, id, version, digest } = value as Partial<PlannedZone>;
  const isNew = id === null && version === null;
  return (
    typeof name === 'string' &&
    typeof digest === 'string' &&
    (isNew || (typeof id === 'string' && typeof version === 'number'))
  );
}

function notAPlan(path: string): Error {
  return new Error(`${path} is not a plan of this release: write one with zonewright plan --out`);
}
