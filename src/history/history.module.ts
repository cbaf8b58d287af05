import { Module } from '@nestjs/common';
import { HistoryController } from './v1/history.controller.js';
import { HistoryRequestPipe } from './v1/pipes/history-request.pipe.js';

/** The adapters of history. */
@Module({ controllers: [HistoryController], providers: [HistoryRequestPipe] })
export class HistoryModule {}
