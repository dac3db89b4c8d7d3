import './style/tokens.css';
import './style/fonts.css';
import './style/base.css';
import './style/first-box.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Frame } from './frame/frame.tsx';
import { pageOf, preloadScreen, screenOf } from './frame/screen-of.ts';
import { currentPlace, listenToHistory, preloadBy } from './navigation/place.ts';
import { queryClient } from './service/query-client.ts';
import { askSession } from './service/session.ts';

void askSession();
listenToHistory();
preloadBy(preloadScreen);
const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root.');
const root = createRoot(container);
const draw = () =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Frame />
      </QueryClientProvider>
    </StrictMode>,
  );
// Draws the page when the script of its screen has loaded, so that it does not appear without content, and after one
// second at the latest. Not awaited, because the screen's chunk waits for this module to finish.
const FIRST_SCREEN_MS = 1_000;
const found = screenOf(currentPlace().path);
if (found === null) draw();
else
  void Promise.race([pageOf(found.screen), new Promise((over) => setTimeout(over, FIRST_SCREEN_MS))]).then(
    draw,
  );
