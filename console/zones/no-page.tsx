import { ownPath } from '../api/prefix.js';
import { Blank } from '../parts/blank.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';
import { useOpenZone } from './zone-context.js';

/** The zone has no page of this address. */
export function NoPage() {
  const { zone } = useOpenZone();
  const { go } = words.states;
  return (
    <Blank
      icon={null}
      title={words.frame.notFound}
      actions={[
        { label: go.records, to: zoneAddress(zone.name, 'records') },
        { label: go.zones, to: '/zones' },
      ]}
    >
      <p>
        <ShownText text={words.blank.notFound.text(ownPath())} longest={300} />
      </p>
    </Blank>
  );
}
