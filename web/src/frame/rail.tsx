import { useState } from 'react';
import { Link } from '../navigation/link.tsx';
import { usePlace } from '../navigation/place.ts';
import { useSession } from '../service/session.ts';
import { offeredScreens } from './offered-screens.ts';
import css from './rail.module.css';
import { SessionNote } from './session-note.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** Screens about one value have no menu entry of their own: on them the first entry of the menu is marked. */
const OF_A_VALUE = /^\/(?:(?:ip|domain|url|hash|asn|network|source|family)\/|contact$)/;

export function Rail({ open }: { open: (layer: 'palette' | 'shortcuts' | 'accounts') => void }) {
  const [isOpen, setOpen] = useState(false);
  const { path } = usePlace();
  const groups = Map.groupBy(offeredScreens(useSession()), ({ group }) => group);
  return (
    <nav className={css.rail} aria-label="Main" data-open={isOpen || undefined}>
      <div className={css.head}>
        <Link to="/" className={css.name}>
          Assay
        </Link>
        <button
          type="button"
          className={css.toggle}
          aria-expanded={isOpen}
          aria-controls="rail-links"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the links inside are the controls; this only folds the menu again. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's Enter arrives here as a click. */}
      <div id="rail-links" className={css.links} onClick={() => setOpen(false)}>
        {[...groups].map(([group, screens]) => (
          <div key={group ?? 'first'}>
            {group !== undefined && <h2 className={css.group}>{group}</h2>}
            {screens.map((screen) => (
              <Link
                key={screen.path}
                to={screen.path}
                className={css.link}
                data-within={(screen.path === '/' && OF_A_VALUE.test(path)) || undefined}
              >
                {screen.title} {screen.path === '/' && <kbd>/</kbd>}
              </Link>
            ))}
          </div>
        ))}
        <div className={css.foot}>
          <SessionNote switchAccount={() => open('accounts')} />
          <button type="button" className={css.link} onClick={() => open('palette')}>
            Commands <kbd>Ctrl K</kbd>
          </button>
          <button type="button" className={css.link} onClick={() => open('shortcuts')}>
            Shortcuts <kbd>?</kbd>
          </button>
          <a className={css.link} href="/docs">
            Help: API reference
          </a>
          <ThemeSwitch />
        </div>
      </div>
    </nav>
  );
}
