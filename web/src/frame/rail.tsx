import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import css from './rail.module.css';
import { SessionNote } from './session-note.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const GROUPS = [
  {
    title: null,
    links: [
      { to: '/', label: 'Check', keys: '/' },
      { to: '/bulk', label: 'Bulk triage', keys: null },
    ],
  },
  { title: 'Intelligence', links: [{ to: '/overview', label: 'Overview', keys: null }] },
  { title: 'Platform', links: [{ to: '/status/data', label: 'Data freshness', keys: null }] },
] as const;

export function Rail({ openShortcuts, openPalette }: { openShortcuts: () => void; openPalette: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const isIndicator = useLocation({ select: ({ pathname }) => /^\/(?:ip|domain|url|hash)\//.test(pathname) });
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
        {GROUPS.map(({ title, links }) => (
          <div key={title ?? 'first'}>
            {title !== null && <h2 className={css.group}>{title}</h2>}
            {links.map(({ to, label, keys }) => (
              <Link
                key={to}
                to={to}
                className={css.link}
                activeOptions={{ exact: to === '/' }}
                data-within={(to === '/' && isIndicator) || undefined}
              >
                {label} {keys !== null && <kbd>{keys}</kbd>}
              </Link>
            ))}
          </div>
        ))}
        <div className={css.foot}>
          <SessionNote />
          <button type="button" className={css.link} onClick={openPalette}>
            Commands <kbd>Ctrl K</kbd>
          </button>
          <button type="button" className={css.link} onClick={openShortcuts}>
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
