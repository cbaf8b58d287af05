import { NoAnswer } from '../api/errors.js';
import { useStatus } from '../frame/status.js';
import { Empty } from '../parts/empty.js';
import { LoadFailed } from '../parts/load-failed.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { design } from '../words/english-design.js';
import { Part, Sample, Samples } from './part.js';

const { states, samples } = design;
const nothing = (): void => {};

/** Notices, and what stands for content that is not there: empty, loading and failed. */
export function States() {
  const status = useStatus();
  return (
    <>
      <Part name="notices">
        <Samples>
          <Sample label={states.notice}>
            <p className="notice">{samples.notice}</p>
          </Sample>
          <Sample label={states.statusLine}>
            <button
              type="button"
              onClick={() =>
                status.show({ content: samples.applied, action: { label: samples.undo, act: status.clear } })
              }
            >
              {design.openOf(states.statusLine)}
            </button>
          </Sample>
          <Sample label={states.invisible}>
            <ShownText text={'a\u200bb'} />
          </Sample>
        </Samples>
      </Part>
      <Part name="empty">
        <Samples>
          <Sample label={states.actions} isWide>
            <Empty
              icon="zones"
              actions={[
                { label: samples.create, to: nothing },
                { label: samples.open, to: '/design' },
              ]}
            >
              {samples.noZones}
            </Empty>
          </Sample>
        </Samples>
      </Part>
      <Part name="loading">
        <Samples>
          <Sample label={states.rows} isWide>
            <Skeleton rows={3} columns={[2, 1, 1, 3]} />
          </Sample>
        </Samples>
      </Part>
      <Part name="errors">
        <Samples>
          <Sample label={states.refused} isWide>
            <Trouble error={new Error(samples.refusal)} />
          </Sample>
          <Sample label={states.retried} isWide>
            <Trouble isRetried error={new NoAnswer(samples.unanswered)} onRetry={nothing} />
          </Sample>
          <Sample label={states.notLoaded} isWide>
            <LoadFailed isOutdated={false} isRepeated={false} onRetry={nothing} />
          </Sample>
          <Sample label={states.outdated} isWide>
            <LoadFailed isOutdated isRepeated={false} onRetry={nothing} />
          </Sample>
        </Samples>
      </Part>
    </>
  );
}
