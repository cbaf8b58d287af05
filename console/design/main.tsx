import '../styles/all.css';
import './design.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { StatusProvider } from '../frame/status.js';
import { applyTheme, chosenTheme } from '../frame/theme.js';
import { DesignPage } from './design-page.js';

applyTheme(chosenTheme());
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <Router base="/console">
          <StatusProvider>
            <DesignPage />
          </StatusProvider>
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
