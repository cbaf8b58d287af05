import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AbsoluteUrl } from './absolute-url.js';
import { ErrorAnswer } from './errors/error-answer.js';
import { HttpExceptionFilter, ServiceErrorFilter, UnknownErrorFilter } from './errors/exception-filters.js';
import { HttpOptions } from './http.options.js';
import { JsonBodyGuard } from './bodies/json-body.guard.js';
import { Paging } from './lists/paging.js';
import { RequestLimits } from './request-limits.js';
import { ShapePipe } from './bodies/shape.pipe.js';

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
        // Nest asks the last registered filter first, so the filter for all errors comes first here.
        { provide: APP_FILTER, useClass: UnknownErrorFilter },
        { provide: APP_FILTER, useClass: HttpExceptionFilter },
        { provide: APP_FILTER, useClass: ServiceErrorFilter },
      ],
      exports: [HttpOptions, AbsoluteUrl, ErrorAnswer, Paging, RequestLimits],
    };
  }
}
