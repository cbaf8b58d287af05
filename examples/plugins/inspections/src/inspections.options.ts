import { readers } from 'zonewright';

export const OPTIONS = {
  keptDays: {
    name: 'keep_days',
    default: '90',
    reader: readers.integer(1, 3650),
    meaning: 'for how many days inspections are kept',
  },
  overdueHours: {
    name: 'overdue_hours',
    default: '0',
    reader: readers.integer(0, 8760),
    meaning: 'after how many hours without an inspection the health check fails; 0: never',
  },
};

/** Their values, for the classes of the plugin. */
export abstract class InspectionsOptions {
  abstract readonly keptDays: number;
  abstract readonly overdueHours: number;
}
