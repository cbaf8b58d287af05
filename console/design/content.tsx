import '../changes/progress-chip.css';
import { useState } from 'react';
import { DiffLine } from '../changes/diff-line.js';
import type { RecordDraft } from '../changes/pending.js';
import type { PlanRow } from '../changes/plan.js';
import { PlanTable } from '../changes/plan-table.js';
import { diffOf } from '../changes/text-diff.js';
import type { PastChange } from '../history/changes-of.js';
import { FeedItem } from '../history/feed-item.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Icon } from '../parts/icon.js';
import { Moment } from '../parts/moment.js';
import { Fact, ServerCard } from '../parts/server-card.js';
import { design } from '../words/english-design.js';
import { Part, Sample, Samples } from './part.js';

const { states, samples } = design;
const ZONE = { id: 'zone', name: 'example.org.' };
const LOOKS = { current: undefined, behind: 'warn', unreachable: 'bad' } as const;
const HOUR = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();

const draft = (changed: Partial<RecordDraft>): RecordDraft => ({
  ...{ name: 'www.example.org.', type: 'A', data: '192.0.2.80', priority: null, ttl: 300, description: null },
  ...changed,
});
const ROWS: readonly PlanRow[] = [
  { key: 'a', action: 'create', before: null, after: draft({ name: 'ftp.example.org.' }), errors: [] },
  { key: 'b', action: 'update', before: draft({}), after: draft({ data: '192.0.2.81' }), errors: [] },
  { key: 'c', action: 'delete', before: draft({ name: 'old.example.org.' }), after: null, errors: [] },
  {
    ...{ key: 'd', action: 'create', before: null, after: draft({ type: 'CNAME', data: 'example.org.' }) },
    errors: [samples.clash],
  },
];

const changed = (message: string | null, serial: number): PastChange => ({
  ...{ id: String(serial), serial, at: hoursAgo(1), actor: null, message, latest: 1, entries: [] },
  ...{ created: 2, updated: 1, deleted: 1, isCreationOfZone: false, isDeletionOfZone: false },
});

/** What pages show: tables, differences, changes and cards. */
export function Content() {
  const { before, after } = diffOf('300 A 192.0.2.80', '300 A 192.0.2.81');
  return (
    <>
      <Part name="tables">
        <table className="list" aria-label={design.parts.tables.title}>
          <ColumnHeads labels={samples.columns} />
          <tbody>
            {samples.rows.map(([name, state], index) => (
              <tr key={name}>
                <td>{name}</td>
                <td data-label={samples.columns.state}>{state}</td>
                <td data-label={samples.columns.changed}>
                  <Moment at={hoursAgo(index * 30)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Part>
      <Part name="diff">
        <Samples>
          <Sample label={states.line} isWide>
            <DiffLine side="removed" chunks={before} />
            <DiffLine side="added" chunks={after} />
            <DiffLine side="same" chunks={[{ text: '300 A 192.0.2.82', isChanged: false }]} />
          </Sample>
          <Sample label={states.plan} isWide>
            <PlanTable zone={ZONE.name} label={states.plan} rows={ROWS} />
          </Sample>
        </Samples>
      </Part>
      <Part name="feed">
        <Feed />
      </Part>
      <Part name="progress">
        <Samples>
          <Sample label={states.underWay} isWide>
            <Progress steps={['there', 'waiting', 'trouble-step']} />
          </Sample>
          <Sample label={states.live} isWide>
            <Progress steps={['there', 'there', 'there']} />
          </Sample>
        </Samples>
      </Part>
      <Part name="cards">
        <ul className="server-cards">
          {(['current', 'behind', 'unreachable'] as const).map((state) => (
            <ServerCard
              key={state}
              address="192.0.2.53"
              level={3}
              state={{ label: samples.badges[state], look: LOOKS[state] }}
            >
              <dl className="facts">
                <Fact label={samples.lastAnswer}>
                  <Moment at={hoursAgo(1)} />
                </Fact>
              </dl>
            </ServerCard>
          ))}
        </ul>
      </Part>
    </>
  );
}

function Feed() {
  const [isOpen, setOpen] = useState(true);
  const [isTicked, setTicked] = useState(true);
  const tick = { isDisabled: false, onChange: () => setTicked(!isTicked) };
  const item = {
    ...{ zone: ZONE, author: 'Anna', day: null, namesZone: true, isWanted: false, isOpen: false },
    ...{ onToggle: () => setOpen(!isOpen), actions: [{ label: samples.undo, act: () => {} }] },
  };
  return (
    <ul className="feed" aria-label={design.parts.feed.title}>
      <FeedItem {...item} change={changed(samples.message, 3)} day={samples.today} tick={{ ...tick, isOn: isTicked }} />
      <FeedItem {...item} change={changed(null, 2)} isWanted tick={{ ...tick, isOn: false }} />
      <FeedItem {...item} change={changed(samples.message, 1)} tick={{ ...tick, isOn: false, isDisabled: true }} />
    </ul>
  );
}

const STEP_ICONS = { there: 'done', waiting: 'waiting', 'trouble-step': 'warn' } as const;

function Progress({ steps }: { readonly steps: readonly (keyof typeof STEP_ICONS)[] }) {
  return (
    <div className="progress">
      <span>{samples.applied}</span>
      <ul>
        {steps.map((step, index) => (
          <li key={index} className={step}>
            <Icon name={STEP_ICONS[step]} /> ns{index + 1}.example.net
          </li>
        ))}
      </ul>
    </div>
  );
}
