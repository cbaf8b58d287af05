import { Injectable } from '@nestjs/common';
import { assertNotScoped, mayShareWithAllTenants } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import type { Page } from '../common/collection-query.js';
import { ServiceError } from '../common/service-error.js';
import { timeOrderedUuid } from '../common/uuid.js';
import { type AuditedAction, AuditTrail } from '../database/audit/audit-trail.js';
import { lockAcrossProcesses } from '../database/locks.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ChangeLimits } from '../zones/changes/change-limits.js';
import { BUILT_IN_TEMPLATES, isBuiltIn } from './built-in-templates.js';
import { TemplateRecords } from './template-records.js';
import { FOR_ALL, type TemplateEntity, type TemplateRecord } from './template.entity.js';
import { TemplateRepository } from './template.repository.js';
import { TemplatesOptions } from './templates.options.js';

export interface TemplateFields {
  readonly name: string;
  readonly description: string | null;
  readonly records: readonly TemplateRecord[];
}

export type TemplateUpdate = { readonly [Field in keyof TemplateFields]?: TemplateFields[Field] | undefined };

/** Bounds the octets of a page. */
const PAGE = 50;

/** Manages the templates of tenants, and those for all tenants (behaviour 28). */
@Injectable()
export class TemplatesService {
  constructor(
    private readonly templates: TemplateRepository,
    private readonly records: TemplateRecords,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
    private readonly options: TemplatesOptions,
  ) {}

  /** Those that names choose for the tenant. `after` is the ID before the page, or empty. */
  async page({ tenantId }: Caller, after: string): Promise<Page<TemplateEntity>> {
    const own = tenantId === FOR_ALL ? [] : await this.templates.names(tenantId);
    const names = [...BUILT_IN_TEMPLATES, ...(await this.templates.names(FOR_ALL)), ...own];
    // The last of a name wins.
    const chosen = [...new Map(names.map(({ name, id }) => [name, id])).values()].filter((id) => id > after).sort();
    const ids = new Set(chosen.slice(0, PAGE));
    const rows = [...(await this.templates.findAll([...ids])), ...BUILT_IN_TEMPLATES.filter(({ id }) => ids.has(id))];
    const entries = rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    return { entries, isLast: chosen.length <= PAGE };
  }

  /** @throws ServiceError `template_not_found` */
  async get(id: string, caller: Caller): Promise<TemplateEntity> {
    const builtIn = BUILT_IN_TEMPLATES.find((one) => one.id === id);
    return builtIn ?? visible((await this.templates.findAll([id]))[0], caller);
  }

  /** The template of the tenant, or else that of all tenants, or else the built-in one (behaviour 28.4). */
  async named(name: string, tenantId: string): Promise<TemplateEntity | null> {
    const stored = await this.templates.named(tenantId, name);
    return stored ?? BUILT_IN_TEMPLATES.find((one) => one.name === name) ?? null;
  }

  /** @throws ServiceError `invalid_object`, `duplicate_template`, `over_quota`, `forbidden` */
  create(fields: TemplateFields, isForAll: boolean, caller: Caller): Promise<TemplateEntity> {
    const tenantId = isForAll ? FOR_ALL : caller.tenantId;
    assertMayChange({ tenantId }, caller);
    this.records.assertValid(fields.records, caller);
    return this.write(caller, tenantId, async (tx) => {
      const createdAt = this.clock.now();
      const { name, description, records } = fields;
      const made = {
        ...{ id: timeOrderedUuid(createdAt), createdAt, updatedAt: null, tenantId, name, description },
        records: JSON.stringify(records),
      };
      await this.store(tx, caller, 'template.create', made);
      return made;
    });
  }

  /** @throws ServiceError as `create`, `template_not_found`, `change_not_allowed`, and the errors of `expect` */
  async update(id: string, update: TemplateUpdate, caller: Caller, expect: Expectation): Promise<TemplateEntity> {
    const { tenantId } = await this.changeable(id, caller);
    if (update.records !== undefined) this.records.assertValid(update.records, caller);
    return this.write(caller, tenantId, async (tx) => {
      const before = visible(await this.templates.findIn(tx, id), caller);
      expect(before);
      const { name = before.name, description = before.description, records } = update;
      const updatedAt = Math.max(this.clock.now(), (before.updatedAt ?? before.createdAt) + 1);
      const after = { ...before, name, description, updatedAt, ...(records && { records: JSON.stringify(records) }) };
      await this.store(tx, caller, 'template.update', after);
      return after;
    });
  }

  /** Zones keep their records. @throws ServiceError as `update` */
  async delete(id: string, caller: Caller, expect: Expectation): Promise<void> {
    const { tenantId } = await this.changeable(id, caller);
    await this.write(caller, tenantId, async (tx) => {
      const before = visible(await this.templates.findIn(tx, id), caller);
      expect(before);
      await this.templates.delete(tx, id);
      await this.note(tx, caller, 'template.delete', before);
    });
  }

  private async changeable(id: string, caller: Caller): Promise<TemplateEntity> {
    const template = await this.get(id, caller);
    if (!isBuiltIn(template)) {
      assertMayChange(template, caller);
      return template;
    }
    const message = `${template.name} is built in and cannot change; create a template with this name, which comes first.`;
    throw new ServiceError('change_not_allowed', message);
  }

  /** The lock makes one process count and compare names at a time. */
  private write<T>({ tenantId }: Caller, owner: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.limits.run(tenantId, () =>
      this.unitOfWork.run(async (tx) => {
        await lockAcrossProcesses(tx, `templates of ${owner}`);
        return work(tx);
      }),
    );
  }

  private async store(tx: Transaction, caller: Caller, action: AuditedAction, template: TemplateEntity): Promise<void> {
    const others = (await this.templates.namesIn(tx, template.tenantId)).filter(({ id }) => id !== template.id);
    if (others.some(({ name }) => name === template.name)) {
      const message = `A template with the name ${template.name} exists already; update that one, or choose another name.`;
      throw ServiceError.ofField('duplicate_template', 'name', 'enum', message);
    }
    const { maxTemplates } = this.options;
    if (action === 'template.create' && others.length >= maxTemplates)
      throw new ServiceError('over_quota', `The limit of ${maxTemplates} templates is reached; delete one first.`);
    await this.templates.save(tx, template);
    await this.note(tx, caller, action, template);
  }

  private note(tx: Transaction, caller: Caller, action: AuditedAction, template: TemplateEntity): Promise<void> {
    const { id, name, tenantId, description, records } = template;
    const details = { description, octets: Buffer.byteLength(records) };
    const ownerId = tenantId === FOR_ALL ? null : tenantId;
    return this.trail.record(tx, caller, [{ action, ownerId, subject: { id, name }, details }]);
  }
}

/** Checked in the transaction of the change. @throws ServiceError */
export type Expectation = (template: TemplateEntity) => void;

function visible(template: TemplateEntity | null | undefined, { allTenants, tenantId }: Caller): TemplateEntity {
  if (template && (allTenants || [FOR_ALL, tenantId].includes(template.tenantId))) return template;
  throw new ServiceError('template_not_found', 'Template not found; list templates with GET /v1/templates.');
}

function assertMayChange({ tenantId }: Pick<TemplateEntity, 'tenantId'>, caller: Caller): void {
  assertNotScoped(caller, 'to manage templates');
  if (tenantId !== FOR_ALL || mayShareWithAllTenants(caller)) return;
  throw new ServiceError('forbidden', 'Only admins may change templates for all tenants.');
}
