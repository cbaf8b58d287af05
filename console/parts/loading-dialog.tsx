import { words } from '../words/index.js';

/** Stands for a dialog whose file is loading: keys that are typed meanwhile are not shortcuts. */
export const LoadingDialog = () => (
  <div className="loading-dialog" data-loading-dialog>
    <span role="status" className="visually-hidden">
      {words.common.loading}
    </span>
  </div>
);
