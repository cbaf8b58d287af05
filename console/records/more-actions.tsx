import { useLocation } from 'wouter';
import { Icon } from '../parts/icon.js';
import { MenuButton } from '../parts/menu-button.js';
import type { MenuEntry } from '../parts/menu-entry.js';
import { useTemplate } from '../templates/use-template.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { useCsv } from './use-csv.js';
import { useExport } from './use-export.js';
import type { RecordSearch } from './use-record-pages.js';

/** Adds records from a template, imports a zone file, and exports the zone as one or as CSV, which a button stops. */
export function MoreActions({ search }: { readonly search: RecordSearch }) {
  const { zone } = useOpenZone();
  const may = usePermitted();
  const [, navigate] = useLocation();
  const template = useTemplate();
  const save = useExport();
  const csv = useCsv(search);
  const { csv: csvWords, actions } = words.records;
  const zoneHeader = words.zoneHeader;
  const entries: readonly (MenuEntry | false)[] = [
    template.mayUse && { id: 'template', icon: 'template', label: words.templates.button, act: template.open },
    may.create && {
      id: 'import',
      icon: 'import',
      label: zoneHeader.import,
      act: () => navigate(zoneAddress(zone.name, 'import')),
    },
    { id: 'export', icon: 'export', label: zoneHeader.export, act: () => save(zone) },
    { id: 'csv', icon: 'export', label: csvWords.export, act: csv.save },
  ];
  return (
    <>
      {csv.progress !== null && (
        <button type="button" onClick={csv.stop}>
          {csvWords.progress(csv.progress.done, csv.progress.total)}
        </button>
      )}
      <MenuButton
        label={actions}
        title={actions}
        className="more-actions"
        groups={[{ entries: entries.filter((entry) => entry !== false) }]}
      >
        <Icon name="more" />
      </MenuButton>
    </>
  );
}
