import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AbsoluteUrl } from './absolute-url.js';
import { ErrorAnswer } from './errors/error-answer.js';
import { HttpExceptionFilter } from './errors/http-exception.filter.js';
import { HttpOptions } from './http.options.js';
import { JsonBodyGuard } from './bodies/json-body.guard.js';
import { Paging } from './lists/paging.js';
import { RequestLimits } from './rate-limits/request-limits.js';
import { ServiceErrorFilter } from './errors/service-error.filter.js';
import { ShapePipe } from './bodies/shape.pipe.js';
import { UnknownErrorFilter } from './errors/unknown-error.filter.js';

/** Request bodies, lists and error answers, for every controller. */
@Module({})
export class HttpModule {
  static register(options: HttpOptions): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      providers: [
        { provide: HttpOptions, useValue: options },
        AbsoluteUrl,
        ErrorAnswer,
        Paging,
        RequestLimits,
        { provide: APP_GUARD, useClass: JsonBodyGuard },
        { provide: APP_PIPE, useClass: ShapePipe },
        // Nest asks the filter that was registered last first, so the one for all errors comes first here.
        { provide: APP_FILTER, useClass: UnknownErrorFilter },
        { provide: APP_FILTER, useClass: HttpExceptionFilter },
        { provide: APP_FILTER, useClass: ServiceErrorFilter },
      ],
      exports: [HttpOptions, AbsoluteUrl, ErrorAnswer, Paging, RequestLimits],
    };
  }
}
