import './commands.css';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ownPath } from '../api/prefix.js';
import { useWhoami, useZones } from '../api/queries.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { Icon } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { permittedTo } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress, zoneIn } from '../zones/zone-address.js';
import { has, ranked } from './ranked-commands.js';
import { useRecentZones } from './recent-zones.js';
import { addAddress, type Command, type FrameActions, useCommands } from './use-commands.js';

interface Props extends FrameActions {
  readonly onClose: () => void;
}

/** Leads to a zone, a page or an action by a part of its name. */
export function CommandDialog({ onClose, ...actions }: Props) {
  const [typed, setTyped] = useState('');
  /** The text for which Enter waits for the zones; `null`: none. */
  const [awaited, setAwaited] = useState<string | null>(null);
  const [path, navigate] = useLocation();
  const zone = path.startsWith('/zones/') ? zoneIn(ownPath()) : null;
  const q = typed.trim();
  const { data: whoami } = useWhoami();
  // The open zone is already there.
  const recent = useRecentZones().filter((name) => q !== '' || name !== zone);
  const known = useCommands(actions);
  const { addRecord } = words.commands.actions;
  const adding = addRecord('').trim().toLowerCase();
  const mayAdd = permittedTo(whoami).create;
  const isForAdding = mayAdd && q.toLowerCase().startsWith(adding);
  const sought = isForAdding ? q.slice(adding.length).trim() : q;
  const { data, isPlaceholderData, isPending } = useZones(sought, 'name');
  // The zones of an earlier text stay until those of this one are there.
  const areZonesCurrent = !isPlaceholderData && !isPending;
  const found = (data?.pages[0]?.domains ?? []).map(({ name }) => name);
  const { commands, isDecided } = ranked({
    q,
    sought,
    isForAdding,
    areZonesCurrent,
    known,
    recent,
    zones: found.filter((name) => areZonesCurrent || has(name, sought)),
    open: (name, kind) => ({ label: name, icon: 'zones', kind, act: () => navigate(zoneAddress(name, 'records')) }),
    add: (name) => ({ label: addRecord(name), icon: 'add', act: () => navigate(addAddress(name)) }),
    search: {
      label: words.commands.search(q),
      icon: 'search',
      act: () => navigate(`/search?q=${encodeURIComponent(q)}`),
    },
    mayAdd,
  });
  const go = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    command.act();
  };
  useEffect(() => {
    if (awaited === typed && isDecided) go(commands[0]);
  }, [awaited, typed, isDecided]);
  return (
    <DialogFrame title={words.commands.title} onClose={onClose}>
      <form
        className="commands"
        onKeyDown={moveInList}
        onSubmit={(event) => {
          event.preventDefault();
          setAwaited(typed);
        }}
      >
        <Field label={words.commands.label} hint={words.commands.hint}>
          {(control) => (
            <input
              {...control}
              value={typed}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={255}
              onChange={({ target }) => {
                setTyped(target.value);
                setAwaited(null);
              }}
            />
          )}
        </Field>
        <ul className="choices" aria-label={words.commands.title}>
          {commands.map((command) => (
            <li key={command.label}>
              <button type="button" className="quiet" onClick={() => go(command)}>
                <Icon name={command.icon} />
                <ShownText text={command.label} longest={100} />
                {command.kind !== undefined && <span className="hint">{command.kind}</span>}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </DialogFrame>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys move between the input and the results. */
function moveInList(event: KeyboardEvent<HTMLFormElement>): void {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const to = stops[stops.findIndex((stop) => stop === document.activeElement) + step];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
