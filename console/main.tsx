import './styles/all.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PREFIX } from './api/prefix.js';
import { App } from './app.js';
import { loadFirstPage } from './first-page.js';
import { applyTheme, chosenTheme } from './frame/theme.js';
import { keepEscapeOfSelects } from './parts/open-select.js';

applyTheme(chosenTheme());
keepEscapeOfSelects();
loadFirstPage(window.location.pathname.slice(`${PREFIX}/console`.length));
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
