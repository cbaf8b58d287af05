import { type ReactNode, useState } from 'react';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Icon } from '../parts/icon.js';
import { MenuButton } from '../parts/menu-button.js';
import { MoreMenu } from '../parts/more-menu.js';
import { SheetFrame } from '../parts/sheet-frame.js';
import { words } from '../words/index.js';
import { design } from '../words/english-design.js';
import { Part, Sample, Samples } from './part.js';

const { states, samples } = design;
type Layer = 'dialog' | 'wideDialog' | 'sheet' | 'wideSheet';

/** Dialogs, sheets and menus: what lies over the page. */
export function Layers() {
  const [open, setOpen] = useState<Layer | null>(null);
  const close = (): void => setOpen(null);
  const opener = (layer: Layer): ReactNode => (
    <Sample label={states[layer]}>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(layer)}>
        {design.openOf(states[layer])}
      </button>
    </Sample>
  );
  const content = (
    <>
      <p>{samples.question}</p>
      <div className="buttons">
        <button type="button" onClick={close}>
          {words.common.cancel}
        </button>
        <button type="button" className="danger" onClick={close}>
          {samples.delete}
        </button>
      </div>
    </>
  );
  return (
    <>
      <Part name="dialogs">
        <Samples>
          {opener('dialog')}
          {opener('wideDialog')}
        </Samples>
      </Part>
      <Part name="sheets">
        <Samples>
          {opener('sheet')}
          {opener('wideSheet')}
        </Samples>
      </Part>
      <Part name="menus">
        <Menus />
      </Part>
      {(open === 'dialog' || open === 'wideDialog') && (
        <DialogFrame title={samples.dialogTitle} isWide={open === 'wideDialog'} onClose={close}>
          {content}
        </DialogFrame>
      )}
      {(open === 'sheet' || open === 'wideSheet') && (
        <SheetFrame
          title={samples.sheetTitle}
          subject="www A"
          kind={open === 'sheet' ? 'side' : 'wide'}
          onClose={close}
        >
          <div className="design-sheet">{content}</div>
        </SheetFrame>
      )}
    </>
  );
}

function Menus() {
  const status = useStatus();
  const [chosen, setChosen] = useState('name');
  const act = (label: string) => () => status.show({ content: label });
  const { menu } = samples;
  return (
    <Samples>
      <Sample label={states.rowMenu}>
        <MoreMenu
          label={samples.rowActions}
          actions={[menu.edit, menu.duplicate].map((label) => ({ label, act: act(label) }))}
        />
      </Sample>
      <Sample label={states.groups}>
        <MenuButton
          label={menu.account}
          className="with-icon"
          groups={[
            {
              label: samples.sort,
              entries: Object.entries(samples.sorts).map(([id, label]) => ({
                ...{ id, label, isChosen: id === chosen },
                act: () => setChosen(id),
              })),
            },
            {
              entries: [
                { id: 'edit', label: menu.edit, icon: 'edit', act: act(menu.edit) },
                { id: 'delete', label: menu.delete, icon: 'delete', isDangerous: true, act: act(menu.delete) },
              ],
            },
          ]}
        >
          {menu.account}
          <Icon name="expand" />
        </MenuButton>
      </Sample>
    </Samples>
  );
}
