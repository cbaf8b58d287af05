import { isUtf8 } from 'node:buffer';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import { invalidBody } from '../../http/api-interface.js';
import { hasRepeatedKey } from '../../http/bodies/json-body.guard.js';
import { Consumes, Produces } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import { RawResponse } from '../../http/custom-responses.js';
import { ApiExcludeController } from '../../http/openapi/decorators.js';
import { MEDIA_TYPE } from '../external-dns-interface.js';
import { EndpointForm } from './endpoint-form.js';
import { EndpointLists, type WebhookAnswer } from './endpoint-lists.js';
import { EndpointWriter } from './endpoint-writer.js';

const [BODY_TYPE = MEDIA_TYPE] = MEDIA_TYPE.split(';');

@ApiExcludeController()
@Controller('external-dns')
export class ExternalDnsController {
  constructor(
    private readonly lists: EndpointLists,
    private readonly form: EndpointForm,
    private readonly writer: EndpointWriter,
  ) {}

  @Get()
  @Produces(MEDIA_TYPE)
  async negotiate(@CurrentCaller() caller: Caller): Promise<WebhookAnswer> {
    return new RawResponse(200, MEDIA_TYPE, JSON.stringify(await this.lists.domainFilter(caller)));
  }

  @Get('records')
  @Produces(MEDIA_TYPE)
  records(@CurrentCaller() caller: Caller): Promise<WebhookAnswer> {
    return this.lists.records(caller);
  }

  @Post('adjustendpoints')
  @HttpCode(200)
  @Produces(MEDIA_TYPE)
  @Consumes(BODY_TYPE)
  async adjust(@Body() body: Buffer, @CurrentCaller() caller: Caller): Promise<WebhookAnswer> {
    // Go writes an empty list as null.
    const endpoints = (await readJson(body)) ?? [];
    if (!Array.isArray(endpoints)) throw invalidBody('The body is no list of endpoints.');
    const slices = new Slices();
    const texts: string[] = [];
    for (const endpoint of endpoints as readonly unknown[]) {
      const text = JSON.stringify(this.form.adjusted(endpoint, caller));
      texts.push(text);
      if (slices.isOver(text.length)) await slices.pause();
    }
    return new RawResponse(200, MEDIA_TYPE, `[${texts.join(',')}]`);
  }

  @Post('records')
  @HttpCode(204)
  @Produces()
  @Consumes(BODY_TYPE)
  async apply(@Body() body: Buffer, @CurrentCaller() caller: Caller): Promise<void> {
    await this.writer.apply(await readJson(body), caller);
  }
}

async function readJson(octets: Buffer): Promise<unknown> {
  const text = octets.toString('utf8');
  try {
    if (!isUtf8(octets)) throw new SyntaxError();
    const value: unknown = JSON.parse(text);
    await nextTurn();
    if (hasRepeatedKey(text)) throw new SyntaxError();
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidBody('The body is no JSON in UTF-8 with each key once.');
  }
}
