import { useState } from 'react';
import { ask } from '../api/client.js';
import { useStatus } from '../frame/status.js';
import { saveAs } from '../parts/save-as.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Saves the zone, or an earlier state of it, as a file. */
export function ExportButton({
  serial,
  label = words.records.export,
  shown = label,
}: {
  readonly serial?: number;
  readonly label?: string;
  /** Where there is no room for all of the label. */
  readonly shown?: string;
}) {
  const { zone } = useOpenZone();
  const status = useStatus();
  const [isUnderWay, setUnderWay] = useState(false);
  const save = async (): Promise<void> => {
    setUnderWay(true);
    try {
      const query = serial === undefined ? '' : `?serial=${serial}`;
      const { body } = await ask<string>(`/v1/domains/${zone.id}/export${query}`, { accept: 'text/dns' });
      const file = zone.name === '.' ? 'root.zone' : `${zone.name}zone`;
      saveAs(file, body);
      status.show({ content: words.records.exported(file) });
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    } finally {
      setUnderWay(false);
    }
  };
  return (
    <button
      type="button"
      aria-label={shown === label ? undefined : label}
      aria-disabled={isUnderWay || undefined}
      onClick={() => void save()}
    >
      {shown}
    </button>
  );
}
