import { useState } from 'react';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import type { Move } from './move.js';
import { forgetMove } from './move-store.js';
import { MovesInProgress } from './moves-in-progress.js';
import { SourceForm } from './source-form.js';

/** The moves in progress, and the first step of another one. */
export function MoveStart({ tenant }: { readonly tenant: string }) {
  const [leaving, setLeaving] = useState<Move | null>(null);
  return (
    <>
      <p className="prose">{moveIn.intro}</p>
      <MovesInProgress
        action={(move) => (
          <button type="button" aria-label={moveIn.forgetOf(move.domain)} onClick={() => setLeaving(move)}>
            {moveIn.forget}
          </button>
        )}
      />
      <section className="move-step" aria-labelledby="move-step">
        <h2 id="move-step">{moveIn.headings.source}</h2>
        <SourceForm tenant={tenant} domain={null} />
      </section>
      {leaving !== null && (
        <DialogFrame title={moveIn.forgetTitle} onClose={() => setLeaving(null)}>
          <p>
            <ShownText text={moveIn.forgetQuestion(leaving.domain)} longest={600} />
          </p>
          <div className="buttons">
            <button type="button" onClick={() => setLeaving(null)}>
              {words.common.cancel}
            </button>
            <button
              type="button"
              className="danger"
              onClick={() => {
                forgetMove(tenant, leaving.domain);
                setLeaving(null);
              }}
            >
              {moveIn.forget}
            </button>
          </div>
        </DialogFrame>
      )}
    </>
  );
}
