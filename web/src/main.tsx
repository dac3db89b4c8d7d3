import './style/tokens.css';
import './style/fonts.css';
import './style/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { queryClient } from './service/query-client.ts';
import { askSession } from './service/session.ts';

void askSession();
const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root.');
const root = createRoot(container);
// Rendered once the screen has loaded, so that the page is not drawn first without it. Not awaited: the screen's chunk
// waits for this module to finish.
void router.load().finally(() =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
);
