import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { compose, definePlugin, HealthCheck, Counter } from '../../src/index.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

/** The current failure of each check. */
const wrong: { backlog: Error | null; link: Error | null } = { backlog: null, link: null };

@Injectable()
class Backlog extends HealthCheck {
  override assertHealthy(): Promise<void> {
    // Not a promise that rejects: a check may be written so.
    if (wrong.backlog !== null) throw wrong.backlog;
    return Promise.resolve();
  }
}

@Injectable()
class Link extends HealthCheck {
  override async assertHealthy(): Promise<void> {
    if (wrong.link !== null) throw wrong.link;
  }
}

/** Number of calls to the hanging check. */
let asked = 0;

@Injectable()
class Silent extends HealthCheck {
  override assertHealthy(): Promise<void> {
    asked += 1;
    return new Promise(() => undefined);
  }
}

const LIFTS = { name: 'widgets_lifts_total', help: 'Widgets that were lifted.', labels: ['size'] };

const WIDGETS = definePlugin({
  name: 'widgets',
  zonewright: '>=1.0.0',
  api: () => ({
    healthChecks: [
      { name: 'backlog', check: Backlog },
      { name: 'link', check: Link, isEssential: true },
      { name: 'silent', check: Silent },
    ],
    metrics: [LIFTS],
  }),
});

describe('operator view of a plugin', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({}, undefined, [WIDGETS]);
  });
  afterAll(() => service.stop());
  afterEach(() => {
    wrong.backlog = null;
    wrong.link = null;
  });

  const checks = { 'widgets/backlog': 'ok', 'widgets/link': 'ok', 'widgets/silent': expect.any(String) };
  const ready = () => bodyOf(service.plain('get', '/readyz'));
  const metrics = async (): Promise<string> => (await answerOf(service.call('get', '/metrics'))).text;

  it('16.2 has its health checks in the answer of /readyz, without reasons', async () => {
    expect(await ready()).toEqual({ status: 'ok', checks });
    wrong.backlog = new Error('300 widgets wait');
    const answer = await answerOf(service.plain('get', '/readyz'));
    expect(answer.body).toEqual({ status: 'ok', checks: { ...checks, 'widgets/backlog': 'failing' } });
    expect(answer.text).not.toContain('300');
    expect(await metrics()).toContain('zonewright_health_check_failing{check="widgets/backlog"} 1\n');
    wrong.backlog = null;
    expect(await ready()).toEqual({ status: 'ok', checks });
    expect(await metrics()).toContain('zonewright_health_check_failing{check="widgets/backlog"} 0\n');
  });

  it('16.2 is 503 while an essential one fails', async () => {
    wrong.link = new Error('unplugged');
    const refusal = await refusalOf(service.plain('get', '/readyz'), 503, 'unavailable');
    expect(JSON.stringify(refusal)).not.toContain('unplugged');
    await answerOf(service.plain('get', '/healthz'));
    wrong.link = null;
    expect(await ready()).toEqual({ status: 'ok', checks });
  });

  it('16.2 asks one that does not answer once, however many ask', async () => {
    await Promise.all([ready(), ready(), ready()]);
    expect(asked).toBe(1);
  });

  it('16.3 adds its metrics to those of the service', async () => {
    const lifts = new Counter(LIFTS);
    lifts.of('large').add(2);
    expect(await metrics()).toContain('# TYPE widgets_lifts_total counter\nwidgets_lifts_total{size="large"} 2\n');
  });

  it('is named in the log at the start', async () => {
    const { summaries } = await compose([WIDGETS], { env: {} }).application();
    expect(summaries).toEqual(['plugin widgets: health checks backlog, link, silent; metrics widgets_lifts_total']);
  });
});
