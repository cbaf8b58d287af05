import { describe, expect, it } from '@jest/globals';
import { configurationFiles } from '../../../test/support/configuration.js';

const files = configurationFiles();

describe('the options of webhooks', () => {
  it('have the documented defaults', () => {
    expect(files.defaults()).toMatchObject({
      webhooks: {
        maxWebhooks: 20,
        maxQueue: 10_000,
        maxQueueSize: 67_108_864,
        allowedTargets: [],
        allowedPorts: [443, 80, 8443],
        allowHttp: false,
        nameServers: [],
        requestTimeout: 15,
        firstRetry: 5,
        retryTime: 86_400,
        rotationTime: 86_400,
        deadLetterDays: 14,
      },
    });
  });

  it('can all be set', () => {
    const text = `
[webhooks]
max_webhooks = 0
max_queue = 1
max_queue_size = 1 kB
allowed_targets = 10.1.0.0/16, fd00::1
allowed_ports =
allow_http = True
resolvers = 192.0.2.53:53, [2001:db8::53]:5353
request_timeout = 60
first_retry = 3600
retry_time = 604800
rotation_time = 0
dead_letter_days = 365
`;
    expect(files.load(text)).toMatchObject({
      webhooks: {
        maxWebhooks: 0,
        maxQueue: 1,
        maxQueueSize: 1000,
        allowedTargets: ['10.1.0.0/16', 'fd00::1'],
        allowedPorts: [],
        allowHttp: true,
        nameServers: [
          { host: '192.0.2.53', port: 53 },
          { host: '2001:db8::53', port: 5353 },
        ],
        requestTimeout: 60,
        firstRetry: 3600,
        retryTime: 604_800,
        rotationTime: 0,
        deadLetterDays: 365,
      },
    });
  });
});
