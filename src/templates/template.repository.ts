import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import { FOR_ALL, TemplateEntity } from './template.entity.js';

export type TemplateName = Pick<TemplateEntity, 'id' | 'name'>;

const NAMES = new Statement<TemplateName>('SELECT id, name FROM zone_templates WHERE tenant_id = ?');
/** That of the tenant comes first. */
const NAMED = new Statement<TemplateEntity>(
  'SELECT id, tenant_id AS "tenantId", name, description, records, created_at AS "createdAt",' +
    ` updated_at AS "updatedAt" FROM zone_templates WHERE tenant_id IN (?, '${FOR_ALL}') AND name = ?` +
    ' ORDER BY tenant_id DESC LIMIT 1',
);

@Injectable()
export class TemplateRepository {
  constructor(private readonly reads: Reads) {}

  namesIn(tx: Transaction, tenantId: string): Promise<TemplateName[]> {
    return NAMES.rows(tx, [tenantId]);
  }

  names(tenantId: string): Promise<TemplateName[]> {
    return this.reads.run((tx) => this.namesIn(tx, tenantId));
  }

  named(tenantId: string, name: string): Promise<TemplateEntity | undefined> {
    return this.reads.run((tx) => NAMED.first(tx, [tenantId, name]));
  }

  findAll(ids: readonly string[]): Promise<TemplateEntity[]> {
    return this.reads.run((tx) => entityManagerOf(tx).findBy(TemplateEntity, { id: In([...ids]) }));
  }

  findIn(tx: Transaction, id: string): Promise<TemplateEntity | null> {
    return entityManagerOf(tx).findOneBy(TemplateEntity, { id });
  }

  async save(tx: Transaction, template: TemplateEntity): Promise<void> {
    await entityManagerOf(tx).upsert(TemplateEntity, template, ['id']);
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await entityManagerOf(tx).delete(TemplateEntity, { id });
  }
}
