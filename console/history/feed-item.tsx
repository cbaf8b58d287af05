import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Icon } from '../parts/icon.js';
import { Moment } from '../parts/moment.js';
import { type MenuAction, MoreMenu } from '../parts/more-menu.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { Avatar } from './author.js';
import { ChangeEntries } from './change-entries.js';
import { type FeedChange, type PastChange, sizeOf } from './changes-of.js';

interface Props extends FeedChange {
  readonly author: string;
  /** Where another day begins. */
  readonly day: string | null;
  readonly namesZone: boolean;
  readonly isOpen: boolean;
  /** Whether the address leads here. */
  readonly isWanted: boolean;
  readonly onToggle: () => void;
  /** Whether it is ticked for a comparison, and may be. */
  readonly tick: { readonly isOn: boolean; readonly isDisabled: boolean; readonly onChange: () => void };
  readonly actions: readonly MenuAction[];
}

/** One change: its message, author and time, the number of its records, and its differences on demand. */
export function FeedItem({ zone, change, author, day, namesZone, isOpen, isWanted, onToggle, tick, actions }: Props) {
  const { serial, message } = change;
  return (
    <li className="feed-item" aria-current={isWanted || undefined} ref={isWanted ? comeIntoSight : undefined}>
      {day !== null && <p className="feed-day">{day}</p>}
      <div className="feed-head">
        <input
          type="checkbox"
          aria-label={words.history.compare.tick(serial)}
          checked={tick.isOn}
          disabled={tick.isDisabled}
          onChange={tick.onChange}
        />
        <Avatar name={author} />
        <div className="feed-text">
          <p className="feed-title">{message === null ? titleOf(change) : <ShownText text={message} />}</p>
          <p className="feed-facts">
            {namesZone && (
              <>
                <Link href={zoneAddress(zone.name, 'history')}>
                  <ShownText text={zone.name} />
                </Link>{' '}
                <span aria-hidden="true">·</span>{' '}
              </>
            )}
            <ShownText text={author} longest={100} /> <span aria-hidden="true">·</span>{' '}
            <Link href={zoneAddress(zone.name, `history/${change.id}`)}>
              <Moment at={change.at} />
            </Link>{' '}
            <span aria-hidden="true">·</span> <span>{words.history.serial(serial)}</span>
          </p>
        </div>
        <Delta change={change} />
        {sizeOf(change) > 0 && (
          <button
            type="button"
            className="icon-button feed-toggle"
            aria-expanded={isOpen}
            aria-label={words.history.show(serial)}
            onClick={onToggle}
          >
            <Icon name={isOpen ? 'expand' : 'open'} />
          </button>
        )}
        <MoreMenu label={words.history.actions(serial)} actions={actions} />
      </div>
      {isOpen && <ChangeEntries zone={zone} change={change} />}
    </li>
  );
}

const comeIntoSight = (item: HTMLLIElement | null): void => item?.scrollIntoView({ block: 'center' });

function Delta({ change: { created, updated, deleted } }: { readonly change: PastChange }): ReactNode {
  return (
    <span className="delta">
      {words.history.delta(created, updated, deleted).map(({ kind, shown, said }) => (
        <span key={kind} className={kind}>
          <span aria-hidden="true">{shown}</span>
          <span className="visually-hidden">{said} </span>
        </span>
      ))}
    </span>
  );
}

function titleOf(change: PastChange): string {
  const { created, updated, deleted, isCreationOfZone, isDeletionOfZone } = change;
  if (isDeletionOfZone) return words.history.zoneDeleted;
  if (isCreationOfZone) return words.history.zoneCreated;
  return sizeOf(change) > 0 ? words.history.untitled(created, updated, deleted) : words.history.zoneChanged;
}
