import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { type FieldError, ServiceError } from '../common/service-error.js';
import { keysOnPath } from '../dns/name-key.js';
import { RecordTypes } from '../dns/rdata/index.js';
import { applyAll } from '../records/changes/operation-list.js';
import { contentKey, ZoneState } from '../records/changes/state/zone-state.js';
import { readNewRecord, type RecordContent } from '../records/record-content.js';
import { RecordsOptions } from '../records/records.options.js';
import { ZoneChange } from '../zones/changes/zone-change.js';
import { ZoneCreator } from '../zones/zone-creator.js';
import type { TemplateRecord } from './template.entity.js';
import { TemplatesOptions } from './templates.options.js';

const PLACEHOLDER = /\{zone\}/g;
const APEX = '@';
/** Octets of a template in JSON. A placeholder counts as the longest zone name: it bounds the work for any zone. */
const MOST_OCTETS = 131_072;
const LONGEST_NAME = 255;
const SAMPLE = { name: 'zone.example.', email: 'hostmaster@zone.example' };

/** Reads the records of templates for a zone. */
@Injectable()
export class TemplateRecords {
  constructor(
    private readonly types: RecordTypes,
    private readonly records: RecordsOptions,
    private readonly zones: ZoneCreator,
    private readonly options: TemplatesOptions,
  ) {}

  /** Judges a template as the records of a new zone (behaviour 28.2). @throws ServiceError `invalid_object` */
  assertValid(template: readonly TemplateRecord[], caller: Caller): void {
    const { maxRecords } = this.options;
    if (template.length === 0 || template.length > maxRecords) throw fault(`1 to ${maxRecords} records are needed`);
    const text = JSON.stringify(template);
    const octets = Buffer.byteLength(text) + LONGEST_NAME * (text.match(PLACEHOLDER)?.length ?? 0);
    if (octets > MOST_OCTETS)
      throw fault(
        `${octets} octets are more than ${MOST_OCTETS}, with ${LONGEST_NAME} for each {zone}; use two templates`,
      );
    const zone = this.zones.drafted(SAMPLE, caller);
    const contents = this.read(template, zone.name);
    const state = new ZoneState(zone);
    state.hold(zone);
    for (const { ownerKey } of contents) {
      for (const key of keysOnPath(zone.nameKey, ownerKey)) state.knowOwner(key, []);
      state.knowOwner(ownerKey, []);
      state.knowBelow(ownerKey, { sets: [], isAll: true });
    }
    const { knownTypes, minTtl } = this.records;
    const rules = { types: this.types, knownTypes, minTtl, check: () => undefined };
    const operations = contents.map((content) => ({ action: 'create', content }) as const);
    try {
      applyAll(state, new ZoneChange(zone, caller, zone.createdAt), operations, rules, true);
    } catch (error) {
      throw inTemplate(error);
    }
  }

  /** @throws ServiceError `invalid_object` with the errors of all records */
  read(template: readonly TemplateRecord[], zoneName: string): RecordContent[] {
    const errors: FieldError[] = [];
    const contents = template.flatMap((record, at) => {
      try {
        return [readNewRecord(this.types, rendered(record, zoneName))];
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        errors.push(...error.errors.map((one) => ({ ...one, path: `records[${at}].${one.path}` })));
        return [];
      }
    });
    if (errors.length > 0) throw ServiceError.ofFields('invalid_object', errors);
    return contents;
  }

  /** A zone may have a name that makes two records of a template equal. */
  distinct(template: readonly TemplateRecord[], zoneName: string): RecordContent[] {
    return [...new Map(this.read(template, zoneName).map((one) => [contentKey(one), one])).values()];
  }
}

function rendered(record: TemplateRecord, zoneName: string): TemplateRecord {
  const zone = zoneName.slice(0, -1);
  // A function: `$` means something in a replacement text.
  const fill = (text: string): string => text.replace(PLACEHOLDER, () => zone);
  return { ...record, name: absoluteName(record.name, zoneName, fill), data: fill(record.data) };
}

function absoluteName(name: string, zoneName: string, fill: (text: string) => string): string {
  if (name === APEX) return zoneName;
  if (!name.endsWith('.')) return `${fill(name)}.${zoneName === '.' ? '' : zoneName}`;
  // The name of the root has no octet besides its dot.
  if (`.${name}`.endsWith('.{zone}.')) return `${fill(name).replace(/\.+$/, '')}.`;
  const message = 'name: is relative to the zone, or ends with "{zone}.".';
  throw ServiceError.ofField('invalid_object', 'name', 'format', message);
}

/** Names the records of the template instead of the operations. */
export function inTemplate(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const path = (text: string): string => text.replace(/^operations\[(\d+)\]/, 'records[$1]');
  return error.withErrors(error.errors.map((one) => ({ ...one, path: path(one.path) })));
}

function fault(problem: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'records', 'maxLength', `records: ${problem}.`);
}
