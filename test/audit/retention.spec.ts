import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scheduler } from '../../src/background/scheduler.js';
import { HistoryRetentionService } from '../../src/zones/journal/history-retention.service.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { AUDIT_ON, type AuditBody, auditPage } from '../support/audit-entries.js';
import { newDomain } from '../support/domain.js';
import { DAY, SteppedClock } from '../support/stepped-clock.js';

const clock = new SteppedClock();
let service: AssembledService;
beforeAll(async () => {
  const retention = {
    SERVICE_CENTRAL__HISTORY_DAYS: '10',
    SERVICE_CENTRAL__DELETED_HISTORY_DAYS: '5',
    SERVICE_CENTRAL__AUDIT_DAYS: '100',
  };
  service = await assembleTestService({ clock, settings: { ...AUDIT_ON, ...retention } });
});
afterAll(() => service.stop());

async function told(): Promise<readonly AuditBody[]> {
  return (await auditPage(service)).audit;
}
const shorten = async (): Promise<void> => {
  await service.get(HistoryRetentionService).removeOld();
  await service.get(Scheduler).runNow('audit.retention');
};

describe('the audit', () => {
  it('14.6, 11.4 keeps the creation and deletion of a domain beyond its history, until audit_days', async () => {
    const [living, deleted] = [await newDomain(service.as('acme')), await newDomain(service.as('acme'))];
    await deleted.newRecord();
    clock.instant += 1;
    await answerOf(service.as('acme').call('delete', `/v1/domains/${deleted.id}`));
    clock.instant += 1;
    await answerOf(service.call('patch', '/admin/quotas/acme', { quota: { zones: 5 } }));
    const whole = await told();
    expect(whole).toHaveLength(5);
    const kept = whole.filter(({ action }) => !action.startsWith('record.'));

    clock.instant += 6 * DAY;
    await shorten();
    expect((await told()).filter(({ domain }) => domain?.id === deleted.id)).toEqual(
      kept.filter(({ domain }) => domain?.id === deleted.id),
    );
    clock.instant += 5 * DAY;
    await living.newRecord();
    await shorten();
    const [latest, ...others] = await told();
    expect(latest).toMatchObject({ action: 'record.create', domain: { id: living.id } });
    expect(others).toEqual(kept);

    clock.instant += 90 * DAY;
    await shorten();
    expect(await told()).toEqual([]);
  });
});
