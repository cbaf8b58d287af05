import { type SubmitEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useOpening } from '../frame/use-opening.js';
import { useStatus } from '../frame/status.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { storedTexts, storeTexts, useTenantKey } from '../session/tenant-storage.js';
import { words } from '../words/index.js';

/** Signing out clears the storage of the browser (behaviour 3.8). */
const PREFIX = 'zonewright.saved-filters.';
const MOST = 20;
const LONGEST_NAME = 40;
const NAME = 'name';
/** The parameters of the address that are a filter; only with the others is the order of the list one. */
const NARROWING = ['q', 'publication', 'behind', 'label'];
const SAVED = [...NARROWING, 'sort'];

interface SavedFilter {
  readonly name: string;
  readonly query: string;
}

/** The filters of the list of zones that this browser keeps, and the button that saves the present one. */
export function SavedFilters() {
  const [query, setQuery] = useSearchParams();
  const { values, open, close } = useOpening('dialog');
  const { filters, save, remove } = useSavedFilters();
  const present = filterOf(query);
  const chosen = filters.find((filter) => filter.query === present);
  const mayBeSaved = chosen === undefined && NARROWING.some((name) => query.has(name));
  if (filters.length === 0 && !mayBeSaved) return null;
  const apply = (filter: string): void =>
    setQuery((before) => {
      const others = [...before].filter(([name]) => !SAVED.includes(name));
      return new URLSearchParams([...others, ...new URLSearchParams(filter)]);
    });
  return (
    <div role="group" aria-label={words.savedFilters.label} className="chips">
      {filters.map((filter) => (
        <button
          key={filter.name}
          type="button"
          className="chip"
          aria-pressed={filter === chosen}
          onClick={() => apply(filter === chosen ? '' : filter.query)}
        >
          <ShownText text={filter.name} />
        </button>
      ))}
      {mayBeSaved && (
        <button type="button" className="quiet" onClick={() => open({ dialog: 'save-filter' })}>
          {words.savedFilters.save}
        </button>
      )}
      {chosen !== undefined && (
        <button type="button" className="quiet" onClick={() => remove(chosen.name)}>
          <ShownText text={words.savedFilters.remove(chosen.name)} />
        </button>
      )}
      {mayBeSaved && values.dialog === 'save-filter' && (
        <SaveFilterDialog
          onClose={close}
          onSave={(name) => {
            save({ name, query: present });
            close();
          }}
        />
      )}
    </div>
  );
}

interface DialogProps {
  readonly onClose: () => void;
  readonly onSave: (name: string) => void;
}

function SaveFilterDialog({ onClose, onSave }: DialogProps) {
  const [name, setName] = useState('');
  const [isTried, setTried] = useState(false);
  const isMissing = name.trim() === '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isMissing) onSave(name.trim());
  };
  return (
    <DialogFrame title={words.savedFilters.save} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Field
          label={words.savedFilters.name}
          hint={words.savedFilters.hint}
          error={isTried && isMissing ? words.savedFilters.nameMissing : undefined}
        >
          {(control) => (
            <input
              {...control}
              value={name}
              maxLength={LONGEST_NAME}
              autoFocus
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <DialogButtons submit={words.savedFilters.save} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}

function useSavedFilters() {
  const key = useTenantKey(PREFIX);
  const status = useStatus();
  // The storage is read at each rendering.
  const [, setStored] = useState(0);
  const filters = storedTexts(key, MOST).map(readFilter);
  const store = (all: readonly SavedFilter[], done: string): void => {
    const isStored = key !== null && storeTexts(key, all.map(textOf));
    setStored((before) => before + 1);
    status.show({ content: <ShownText text={isStored ? done : words.savedFilters.notStored} /> });
  };
  return {
    filters,
    /** Replaces a filter of the same name, or the oldest of too many. */
    save: (filter: SavedFilter): void => {
      const others = filters.filter(({ name }) => name !== filter.name);
      store([...others, filter].slice(-MOST), words.savedFilters.saved(filter.name));
    },
    remove: (name: string): void =>
      store(
        filters.filter((filter) => filter.name !== name),
        words.savedFilters.removed(name),
      ),
  };
}

/** In one order, so that equal filters are equal texts. */
function filterOf(query: URLSearchParams): string {
  const values = SAVED.flatMap((name) =>
    query
      .getAll(name)
      .sort()
      .map((value) => [name, value]),
  );
  return new URLSearchParams(values.filter(([, value]) => value !== '')).toString();
}

function textOf({ name, query }: SavedFilter): string {
  return new URLSearchParams([[NAME, name], ...new URLSearchParams(query)]).toString();
}

function readFilter(text: string): SavedFilter {
  const query = new URLSearchParams(text);
  return { name: query.get(NAME) ?? '', query: filterOf(query) };
}
