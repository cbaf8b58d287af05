import { Module } from '@nestjs/common';
import { ServiceFigures } from './service-figures.js';

/** The figures of whatever program has the services; the name server alone shows them as well. */
@Module({ providers: [ServiceFigures] })
export class MetricsCoreModule {}
