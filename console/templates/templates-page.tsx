import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import type { Template } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedTo } from '../session/permitted.js';
import { words } from '../words/index.js';
import { EditTemplateDialog } from './edit-template-dialog.js';
import { lineOf, useStoredTemplates } from './stored-templates.js';

type Open = { readonly what: 'edit' | 'copy' | 'delete'; readonly template: Template | null } | null;

/** The templates of the tenant, those for all tenants, and the built-in ones. */
export function TemplatesPage() {
  useTitle(words.templates.heading);
  const { data: whoami } = useWhoami();
  const { data, error, failureReason, refetch } = useStoredTemplates();
  const [open, setOpen] = useState<Open>(null);
  const queries = useQueryClient();
  const status = useStatus();
  const mayMake = permittedTo(whoami).makeZones;
  const mayShare = whoami?.roles.includes('admin') ?? false;
  const trouble = error ?? failureReason;
  const done = (text: string): void => {
    setOpen(null);
    status.show({ content: text });
    void queries.invalidateQueries({ queryKey: ['templates'] });
  };
  return (
    <>
      <div className="heading">
        <h1>{words.templates.heading}</h1>
        {mayMake && (
          <button type="button" className="primary" onClick={() => setOpen({ what: 'edit', template: null })}>
            {words.templates.new}
          </button>
        )}
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={6} columns={[2, 3, 1, 4, 2]} />}
      {data !== undefined && (
        <table className="list stored-templates" aria-label={words.templates.heading}>
          <ColumnHeads labels={words.templates.listColumns} />
          <tbody>
            {data.map((template) => (
              <TemplateRow
                key={template.id}
                template={template}
                mayCopy={mayMake}
                mayChange={mayMake && !template.built_in && (mayShare || template.tenant_id !== null)}
                onOpen={(what) => setOpen({ what, template })}
              />
            ))}
          </tbody>
        </table>
      )}
      {(open?.what === 'edit' || open?.what === 'copy') && (
        <EditTemplateDialog
          template={open.template}
          isCopy={open.what === 'copy'}
          mayShare={mayShare}
          onClose={() => setOpen(null)}
          onSaved={({ name }) => done(words.templates.saved(name))}
        />
      )}
      {open?.what === 'delete' && open.template !== null && (
        <DeleteTemplateDialog
          template={open.template}
          onClose={() => setOpen(null)}
          onDeleted={({ name }) => done(words.templates.deleted(name))}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly template: Template;
  readonly mayCopy: boolean;
  readonly mayChange: boolean;
  readonly onOpen: (what: 'edit' | 'copy' | 'delete') => void;
}

function TemplateRow({ template, mayCopy, mayChange, onOpen }: RowProps) {
  const { name, description, tenant_id, built_in, records } = template;
  const { listColumns: columns, owners } = words.templates;
  return (
    <tr>
      <td>
        <ShownText text={name} />
      </td>
      <td data-label={columns.description}>
        <ShownText text={description ?? ''} />
      </td>
      <td data-label={columns.owner}>{built_in ? owners.builtIn : tenant_id === null ? owners.all : owners.own}</td>
      <td data-label={columns.records}>
        <details>
          <summary>{words.templates.count(records.length)}</summary>
          <ul>
            {records.map((record, index) => (
              <li key={index}>
                <ShownText text={lineOf(record)} longest={200} />
              </li>
            ))}
          </ul>
        </details>
      </td>
      <td>
        {mayCopy && (
          <button type="button" aria-label={words.templates.copy(name)} onClick={() => onOpen('copy')}>
            {words.templates.copyShort}
          </button>
        )}
        {mayChange && (
          <>
            <button type="button" aria-label={words.templates.edit(name)} onClick={() => onOpen('edit')}>
              {words.templates.editShort}
            </button>
            <button type="button" aria-label={words.templates.delete(name)} onClick={() => onOpen('delete')}>
              {words.templates.deleteButton}
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

interface DeleteProps {
  readonly template: Template;
  readonly onClose: () => void;
  readonly onDeleted: (template: Template) => void;
}

function DeleteTemplateDialog({ template, onClose, onDeleted }: DeleteProps) {
  const [trouble, setTrouble] = useState<unknown>(null);
  const remove = async (): Promise<void> => {
    try {
      await ask(`/v1/templates/${template.id}`, { method: 'DELETE' });
      onDeleted(template);
    } catch (error) {
      setTrouble(error);
    }
  };
  return (
    <DialogFrame title={words.templates.deleteTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        {trouble !== null && <Trouble error={trouble} />}
        <p>
          <ShownText text={words.templates.deleteQuestion(template.name)} />
        </p>
        <DialogButtons submit={words.templates.deleteButton} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}
