import { LoadingDialog } from './loading-dialog.js';
import { lazily } from './lazily.js';

/** A dialog over the page. It keeps the focus and gives it back; Escape closes it. */
export const DialogFrame = lazily(
  () => import('./modal-dialog.js').then(({ ModalDialog }) => ModalDialog),
  <LoadingDialog />,
);
