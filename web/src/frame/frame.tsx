import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { UniversalBox } from '../box/universal-box.tsx';
import { persistently } from '../service/persistently.ts';
import { type Action, listenForShortcuts, useActions } from './actions.ts';
import { Announcer } from './announce.tsx';
import { DegradedStrip } from './degraded-strip.tsx';
import { DemoStrip } from './demo-strip.tsx';
import css from './frame.module.css';
import { useGoToActions } from './go-to.ts';
import { LostPartsStrip } from './lost-parts-strip.tsx';
import { Rail } from './rail.tsx';
import { ShownScreen } from './shown-screen.tsx';

// Layers are rare, so their code loads when one is opened.
const Palette = lazy(async () => ({
  default: (await persistently(() => import('./palette.tsx'))).Palette,
}));
const ShortcutSheet = lazy(async () => ({
  default: (await persistently(() => import('./shortcut-sheet.tsx'))).ShortcutSheet,
}));

const AccountSwitch = lazy(async () => ({
  default: (await persistently(() => import('./account-switch.tsx'))).AccountSwitch,
}));

export function Frame() {
  const [layer, setLayer] = useState<'palette' | 'shortcuts' | 'accounts' | null>(null);
  useEffect(listenForShortcuts, []);
  useGoToActions();
  useActions(
    useMemo<readonly Action[]>(
      () => [
        {
          id: 'palette',
          title: 'Open the command palette',
          group: 'View',
          keys: 'Mod+k',
          run: () => setLayer('palette'),
        },
        {
          id: 'shortcuts',
          title: 'Show the shortcuts of this page',
          group: 'View',
          keys: '?',
          run: () => setLayer('shortcuts'),
        },
      ],
      [],
    ),
  );
  const close = () => setLayer(null);
  return (
    <>
      <a className={css.skip} href="#content">
        Skip to the content
      </a>
      <div className={css.app}>
        <Rail open={setLayer} />
        <div className={css.column}>
          <DemoStrip />
          <DegradedStrip />
          <LostPartsStrip />
          <header className={css.top}>
            <UniversalBox />
          </header>
          <main id="content" className={css.main} tabIndex={-1}>
            <ShownScreen />
          </main>
        </div>
      </div>
      <Announcer />
      <Suspense>
        {layer === 'palette' && <Palette close={close} />}
        {layer === 'shortcuts' && <ShortcutSheet close={close} />}
        {layer === 'accounts' && <AccountSwitch close={close} />}
      </Suspense>
    </>
  );
}
