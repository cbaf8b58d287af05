import type { Difference } from '../../history/record-differences.js';
import type { RecordSnapshot } from '../../plugins/change-listener.js';
import { type DiffDrawing, withoutControls } from '../diff-drawing.js';
import type { Action, ZonePlan } from './zone-planner.js';

/** A plan, and its result if it was applied. */
export interface ReportedZone extends ZonePlan {
  /** Of the stored change; `null`: nothing was stored. */
  readonly appliedSerial: number | null;
}

/** Writes a report piece by piece, while zones are planned. */
export interface PlanReport {
  zone(zone: ReportedZone): string;
  end(summary: Summary): string;
}

/** Counts zones and records of a run. */
export class Summary {
  /** @param isApplied whether the changes are stored */
  constructor(private readonly isApplied: boolean) {}

  readonly zones = { create: 0, change: 0, unchanged: 0, refused: 0 };
  readonly records: Record<Action, number> = { create: 0, update: 0, delete: 0 };
  /** Record sets. */
  labels = 0;

  add({ state, counts, labels, errors }: ZonePlan): void {
    this.zones[errors.length > 0 ? 'refused' : state] += 1;
    if (errors.length > 0) return;
    for (const action of ['create', 'update', 'delete'] as const) this.records[action] += counts[action];
    this.labels += labels;
  }

  get hasChanges(): boolean {
    return this.zones.create + this.zones.change > 0;
  }

  toString(): string {
    const { create, change, unchanged, refused } = this.zones;
    const { create: added, update, delete: deleted } = this.records;
    const labeled = this.labels === 0 ? '' : `; ${this.labels} record sets labeled`;
    return this.isApplied
      ? `${create} zones created, ${change} changed, ${unchanged} unchanged, ${refused} refused; records: ${added} added, ${update} changed, ${deleted} deleted${labeled}`
      : `${create} zones to create, ${change} to change, ${unchanged} unchanged, ${refused} refused; records: ${countsText(this.records, this.labels)}`;
  }
}

function countsText({ create, update, delete: deleted }: ZonePlan['counts'], labels: number): string {
  const labeled = labels === 0 ? '' : `; record sets: ${labels} to label`;
  return `${create} to add, ${update} to change, ${deleted} to delete${labeled}`;
}

/** The records and labels that a plan shows. */
function drawn(drawing: DiffDrawing, { differences, labeled, labels }: ZonePlan): string[] {
  return [
    ...differences.map((difference) => drawing.record(difference)),
    ...labeled.map((set) => drawing.label(set)),
    ...(labels > labeled.length ? [`… and ${labels - labeled.length} more labels\n`] : []),
  ];
}

function isSilent({ state, notes, errors }: ZonePlan): boolean {
  return state === 'unchanged' && notes.length === 0 && errors.length === 0;
}

/** A diff for people. */
export class TextReport implements PlanReport {
  constructor(private readonly drawing: DiffDrawing) {}

  zone(zone: ReportedZone): string {
    const { state, differences, counts, labels, notes, appliedSerial, entry } = zone;
    const left = counts.create + counts.update + counts.delete - differences.length;
    const body = [
      ...(differences.length + labels > 0 || state === 'create' ? [this.drawing.header(...titlesOf(zone))] : []),
      ...drawn(this.drawing, zone),
      ...(left > 0 ? [`… and ${left} more records\n`] : []),
      ...notes.map((note) => `${withoutControls(note)}\n`),
      ...(appliedSerial === null
        ? []
        : [`stored in ${entry.name}: ${countsText(counts, labels)}; serial ${appliedSerial}\n`]),
    ];
    return body.join('');
  }

  end(summary: Summary): string {
    return `${summary.toString()}\n`;
  }
}

function titlesOf({ zone, entry }: ZonePlan): [string, string] {
  return [zone === null ? `${entry.name} does not exist` : `${zone.name} serial ${zone.serial}`, entry.file];
}

/** One JSON document. Unchanged zones are only counted. */
export class JsonReport implements PlanReport {
  private isFirst = true;

  zone(zone: ReportedZone): string {
    if (isSilent(zone)) return '';
    const { entry, state, counts, differences, labels, labeled, notes, errors, appliedSerial } = zone;
    const content = {
      ...{ name: entry.name, file: entry.file, action: errors.length > 0 ? 'refused' : state },
      ...{ serial: zone.zone?.serial ?? null, applied_serial: appliedSerial },
      ...{ add: counts.create, change: counts.update, delete: counts.delete, label: labels },
      ...{ changes: differences.map(changeOf), labels: labeled },
      ...{ findings: notes, errors },
    };
    const start = this.isFirst ? '{"zones":[\n' : ',\n';
    this.isFirst = false;
    return start + JSON.stringify(content);
  }

  end({ zones, records, labels }: Summary): string {
    const summary = { zones, labels, records: { add: records.create, change: records.update, delete: records.delete } };
    return `${this.isFirst ? '{"zones":[' : ''}\n],"summary":${JSON.stringify(summary)}}\n`;
  }
}

function changeOf({ action, before, after }: Difference) {
  const { name, type } = after ?? before;
  return { action, name, type, before: before && valueOf(before), after: after && valueOf(after) };
}

function valueOf({ ttl, priority, data }: RecordSnapshot) {
  return { ttl, data: priority === null ? data : `${priority} ${data}` };
}

/** A comment of GitHub has at most 65,536 characters, a note of GitLab a million. */
const MAX_MARKDOWN = 60_000;
/** Characters of the table. */
const MAX_TABLE = 20_000;

/** A comment for a pull request. Text of records stands in code blocks only. */
export class MarkdownReport implements PlanReport {
  private readonly rows: string[] = [];
  private readonly details: string[] = [];
  private size = 0;
  private tableSize = 0;
  private left = 0;

  constructor(private readonly drawing: DiffDrawing) {}

  zone(zone: ReportedZone): string {
    if (isSilent(zone)) return '';
    const { entry, counts, labels, errors, notes } = zone;
    const state = errors.length > 0 ? 'refused' : zone.state;
    const row = `| \`${codeOf(entry.name)}\` | ${counts.create} | ${counts.update} | ${counts.delete} | ${state} |`;
    const isShown = this.tableSize + row.length < MAX_TABLE;
    if (isShown) {
      this.rows.push(row);
      this.tableSize += row.length + 1;
    }
    const lines = [...drawn(this.drawing, zone), ...[...notes, ...errors].map(noteOf)];
    if (lines.length > 0)
      this.add(`${entry.name}: ${countsText(counts, labels)}${errors.length > 0 ? ', refused' : ''}`, lines);
    else if (!isShown) this.left += 1;
    return '';
  }

  end(summary: Summary): string {
    const table =
      this.rows.length === 0
        ? []
        : ['| zone | add | change | delete | |', '| --- | --- | --- | --- | --- |', ...this.rows, ''];
    const left =
      this.left === 0 ? [] : [`Cut: ${this.left} parts are too long for a comment. The log of the job has all.`, ''];
    return ['### Zonewright plan', '', `${summary.toString()}.`, '', ...table, ...this.details, ...left].join('\n');
  }

  private add(title: string, lines: readonly string[]): void {
    const room = MAX_MARKDOWN - MAX_TABLE - this.size - title.length - 200;
    const shown: string[] = [];
    let size = 0;
    for (const line of lines) {
      size += line.length;
      if (size > room) break;
      shown.push(line);
    }
    if (shown.length < lines.length) this.left += 1;
    if (shown.length === 0) return;
    const text = shown.join('');
    const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const detail = `<details><summary>${htmlOf(title)}</summary>\n\n${fence}diff\n${text}${fence}\n\n</details>\n`;
    this.details.push(detail);
    this.size += detail.length;
  }
}

function noteOf(note: string): string {
  return `! ${withoutControls(note)}\n`;
}

function codeOf(text: string): string {
  return text.replace(/[`|\r\n]/g, '?').slice(0, 260);
}

function htmlOf(text: string): string {
  return text.replace(/[&<>`*_[\]\r\n]/g, (found) => `&#${found.charCodeAt(0)};`);
}
