import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { groupedBy } from '../common/grouped.js';
import { ServiceError } from '../common/service-error.js';
import type { ChangeResult } from '../records/changes/change-request.js';
import { InnerOperations } from '../records/changes/inner-operations.js';
import { type ChangeOptions, RecordChanges } from '../records/changes/record-changes.js';
import { type DeferredOperations, EMPTY_SCOPE, type RecordOperation } from '../records/changes/record-operation.js';
import type { ZoneState } from '../records/changes/state/zone-state.js';
import type { RecordContent } from '../records/record-content.js';
import type { RecordEntity } from '../records/record.entity.js';
import { RecordsOptions } from '../records/records.options.js';
import { type TemplateChoice, ZoneTemplates } from '../zones/zone-templates.js';
import { ZonesService } from '../zones/zones.service.js';
import { inTemplate, TemplateRecords } from './template-records.js';
import { recordsIn, type TemplateEntity } from './template.entity.js';
import { TemplatesService } from './templates.service.js';

/** Records of a template, and those of the zone that contradict them. */
export interface TemplateConflict {
  readonly wanted: readonly RecordContent[];
  readonly existing: readonly RecordEntity[];
}

/** A template that is about to be applied to a zone. */
export interface PreparedTemplate {
  /** Known once the change was judged. */
  readonly conflicts: readonly TemplateConflict[];
  /** One change, as `RecordChanges.apply`. */
  apply(options?: ChangeOptions): Promise<ChangeResult>;
}

/** Writes the records of templates into zones (behaviour 28.4, 28.5). */
@Injectable()
export class TemplateApplication extends ZoneTemplates {
  constructor(
    private readonly templates: TemplatesService,
    private readonly records: TemplateRecords,
    private readonly zones: ZonesService,
    private readonly changes: RecordChanges,
    private readonly inner: InnerOperations,
    private readonly options: RecordsOptions,
  ) {
    super();
  }

  override async choose(name: string, field: string, caller: Caller): Promise<TemplateChoice> {
    const template = await this.find(name, field, caller.tenantId);
    return {
      caller: naming(template, caller),
      fill: (change, tx) =>
        inField(template, field, async () => {
          const contents = this.records.distinct(recordsIn(template), change.zone.name);
          await this.inner.applyAll(tx, change, contents.map(created));
        }),
    };
  }

  /**
   * The template is that of the owner of the zone.
   * @param replaces whether its records replace those that contradict them
   */
  async prepare(zoneId: string, name: string, caller: Caller, replaces: boolean): Promise<PreparedTemplate> {
    const zone = await this.zones.get(zoneId, caller);
    const template = await this.find(name, 'template', zone.tenantId);
    const plan = await inField(template, 'template', () =>
      Promise.resolve(new TemplatePlan(this.records.distinct(recordsIn(template), zone.name), replaces, this.options)),
    );
    return {
      get conflicts() {
        return plan.conflicts;
      },
      apply: (options) =>
        inField(template, 'template', () => this.changes.apply(zone.id, naming(template, caller), plan, options)),
    };
  }

  private async find(name: string, field: string, tenantId: string): Promise<TemplateEntity> {
    const template = await this.templates.named(name, tenantId);
    if (template !== null) return template;
    const message = `${field}: no template has this name; list templates with GET /v1/templates.`;
    throw ServiceError.ofField('invalid_object', field, 'enum', message);
  }
}

/** Adds the missing records of a template to a zone, judged inside the change. */
class TemplatePlan implements DeferredOperations {
  readonly scope;
  readonly size: number;
  conflicts: readonly TemplateConflict[] = [];

  constructor(
    private readonly contents: readonly RecordContent[],
    private readonly replaces: boolean,
    private readonly options: RecordsOptions,
  ) {
    this.scope = { ...EMPTY_SCOPE, contents, wholeOwners: [...new Set(contents.map(({ ownerKey }) => ownerKey))] };
    this.size = contents.length;
  }

  operations(state: ZoneState): readonly RecordOperation[] {
    const slots = groupedBy(this.contents, (one) => `${one.ownerKey}\n${purposeOf(one)}`);
    const judged = [...slots.values()].map((wanted) => ({ wanted, existing: this.contradicting(state, wanted) }));
    this.conflicts = judged.filter(({ existing }) => existing.length > 0);
    const chosen = judged.filter(({ existing }) => this.replaces || existing.length === 0);
    const replaced = new Set(chosen.flatMap(({ existing }) => existing.map(({ id }) => id)));
    const missing = chosen.flatMap(({ wanted }) => wanted.filter((one) => state.recordsLike(one).length === 0));
    const operations = [...[...replaced].map((id) => ({ action: 'delete', id }) as const), ...missing.map(created)];
    const { maxChanges } = this.options;
    if (operations.length <= maxChanges) return operations;
    const message = `replace: the template would change ${operations.length} records, more than ${maxChanges}; delete records first.`;
    throw ServiceError.ofField('invalid_object', 'replace', 'maximum', message);
  }

  /** @param wanted with one owner name and purpose */
  private contradicting(state: ZoneState, wanted: readonly RecordContent[]): RecordEntity[] {
    const [first] = wanted;
    if (first === undefined) return [];
    const purpose = purposeOf(first);
    const fingerprints = new Set(wanted.map(({ fingerprint }) => fingerprint));
    return [...state.setsAt(first.ownerKey)].flatMap(([type, { members }]) => {
      if (type !== first.type) return this.isAlone(type) || this.isAlone(first.type) ? [...members.values()] : [];
      if (purpose === TEXT) return [];
      return [...members.values()].filter((one) => !fingerprints.has(one.fingerprint) && purposeOf(one) === purpose);
    });
  }

  private isAlone(type: string): boolean {
    return this.options.knownTypes.byName(type)?.placement.isAlone === true;
  }
}

const TEXT = 'text';
const POLICY = /^v=(spf1|dmarc1|dkim1)\b/i;
/** Octets, with the length before the text and the character behind the policy. */
const LONGEST_POLICY = 10;

/** Rule 22.15: the type, or for a TXT record the kind of its policy. */
function purposeOf({
  type,
  ownerKey,
  rdata,
}: Pick<RecordContent | RecordEntity, 'type' | 'ownerKey' | 'rdata'>): string {
  if (type !== 'TXT') return type;
  if (ownerKey.split(' ').includes('_domainkey')) return 'dkim1';
  const octets =
    typeof rdata === 'string'
      ? Buffer.from(rdata.slice(0, 2 * LONGEST_POLICY), 'hex')
      : Buffer.from(rdata.subarray(0, LONGEST_POLICY));
  return POLICY.exec(octets.toString('latin1', 1))?.[1]?.toLowerCase() ?? TEXT;
}

const created = (content: RecordContent) => ({ action: 'create', content }) as const;

function naming({ name }: TemplateEntity, caller: Caller): Caller {
  return { ...caller, message: `Template ${name}` };
}

/** A refusal of records names the template. Other errors, such as `over_quota`, stay. */
async function inField<T>({ name }: TemplateEntity, field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = inTemplate(error);
    if (!(refusal instanceof ServiceError) || !refusal.errors.some(({ path }) => path.startsWith('records[')))
      throw error;
    const errors = refusal.errors.map(({ path, message, ...one }) => ({
      ...{ ...one, path: field },
      message: `template ${name}, ${path}: ${message}`,
    }));
    throw ServiceError.ofFields(refusal.code, errors);
  }
}
