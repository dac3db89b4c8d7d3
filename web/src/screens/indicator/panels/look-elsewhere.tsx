import { pageConfig } from '../../../service/page-config.ts';
import type { Target } from './check-seen.ts';
import css from './context-panels.module.css';
import { outwardOf } from './outward.ts';
import { OutwardLink } from './outward-link.tsx';

export function LookElsewhere({ target }: { target: Target }) {
  const links = outwardOf(pageConfig.outwardLinks, target);
  if (links.length === 0) return null;
  return (
    <p className={css.elsewhere}>
      Look elsewhere, which tells them what you look at:{' '}
      {links.map(({ name, href }) => (
        <OutwardLink key={name} href={href} label={name} />
      ))}
    </p>
  );
}
