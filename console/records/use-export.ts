import { useState } from 'react';
import { ask } from '../api/client.js';
import { useStatus } from '../frame/status.js';
import { saveAs } from '../parts/save-as.js';
import { words } from '../words/index.js';

interface ExportedZone {
  readonly id: string;
  readonly name: string;
}

/** Saves a zone, or an earlier state of it, as a file. */
export function useExport(): (zone: ExportedZone, serial?: number) => void {
  const status = useStatus();
  const [isUnderWay, setUnderWay] = useState(false);
  const save = async ({ id, name }: ExportedZone, serial?: number): Promise<void> => {
    if (isUnderWay) return;
    setUnderWay(true);
    try {
      const query = serial === undefined ? '' : `?serial=${serial}`;
      const { body } = await ask<string>(`/v1/domains/${id}/export${query}`, { accept: 'text/dns' });
      const file = name === '.' ? 'root.zone' : `${name}zone`;
      saveAs(file, body);
      status.show({ content: words.records.exported(file) });
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    } finally {
      setUnderWay(false);
    }
  };
  return (zone, serial) => void save(zone, serial);
}
