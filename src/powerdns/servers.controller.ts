import { Controller, Get, HttpCode, Put, Query } from '@nestjs/common';
import { BodyOptional } from '../http/bodies/media-types.js';
import { ApiExcludeController } from '../http/openapi/decorators.js';
import { type JsonAnswer, jsonAnswer } from './answers.js';
import { assertCanonical, neededText, refuse, textIn } from './input.js';

const BASE = '/api/v1/servers/localhost';

/** Clients derive features from it: 404 for missing zones, EXTEND and PRUNE. */
const VERSION = '4.9.12';

const SERVER = {
  autoprimaries_url: `${BASE}/autoprimaries{/autoprimary}`,
  config_url: `${BASE}/config{/config_setting}`,
  daemon_type: 'authoritative',
  id: 'localhost',
  type: 'Server',
  url: BASE,
  version: VERSION,
  zones_url: `${BASE}/zones{/zone}`,
};

/** Settings that clients read to find supported features. */
const SETTINGS = [
  ['api', 'yes'],
  ['daemon', 'no'],
  ['default-ttl', '3600'],
  ['enable-lua-records', 'no'],
  ['launch', 'zonewright'],
  ['version-string', VERSION],
] as const;

@ApiExcludeController()
@Controller('api')
export class ServersController {
  @Get()
  versions(): JsonAnswer {
    return jsonAnswer([{ url: '/api/v1', version: 1 }]);
  }

  @Get('v1')
  version(): JsonAnswer {
    return jsonAnswer([{ api_features: [], server_url: '/api/v1/servers{/server}' }]);
  }

  @Get('v1/servers')
  list(): JsonAnswer {
    return jsonAnswer([SERVER]);
  }

  @Get('v1/servers/localhost')
  get(): JsonAnswer {
    return jsonAnswer(SERVER);
  }

  @Get('v1/servers/localhost/config')
  config(): JsonAnswer {
    return jsonAnswer(SETTINGS.map(([name, value]) => ({ name, type: 'ConfigSetting', value })));
  }

  @Get('v1/servers/localhost/statistics')
  statistics(@Query() query: Readonly<Record<string, unknown>>): JsonAnswer {
    const name = textIn(query, 'statistic');
    const items = statistics().filter((item) => name === undefined || item.name === name);
    if (items.length === 0) refuse('Unknown statistic name');
    return jsonAnswer(items);
  }

  @Get('v1/servers/localhost/autoprimaries')
  autoprimaries(): JsonAnswer {
    return jsonAnswer([]);
  }

  @Get('v1/servers/localhost/tsigkeys')
  tsigKeys(): JsonAnswer {
    return jsonAnswer([]);
  }

  /** There are no stale caches to flush. */
  @Put('v1/servers/localhost/cache/flush')
  @HttpCode(200)
  @BodyOptional()
  flush(@Query() query: Readonly<Record<string, unknown>>): JsonAnswer {
    assertCanonical(neededText(query, 'domain'));
    return jsonAnswer({ count: 0, result: 'Flushed cache.' });
  }
}

function statistics() {
  const { user, system } = process.cpuUsage();
  const values = {
    'real-memory-usage': process.memoryUsage.rss(),
    'sys-msec': Math.round(system / 1000),
    uptime: Math.round(process.uptime()),
    'user-msec': Math.round(user / 1000),
  };
  return Object.entries(values).map(([name, value]) => ({ name, type: 'StatisticItem', value: String(value) }));
}
