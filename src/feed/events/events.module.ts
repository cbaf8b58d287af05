import { Module } from '@nestjs/common';
import { EventsController } from './v1/events.controller.js';
import { StreamRequestPipe } from './v1/pipes/stream-request.pipe.js';

/** The version-1 extension `events`. */
@Module({ controllers: [EventsController], providers: [StreamRequestPipe] })
export class EventsModule {}
