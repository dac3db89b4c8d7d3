import type { ReactNode } from 'react';
import { useTitle } from '../../frame/title.ts';
import css from './entry.module.css';

export function EntryPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useTitle(title);
  return (
    <section className={css.page}>
      <h1 className={`page-title ${css.title}`}>{title}</h1>
      {lead !== undefined && <p className={css.lead}>{lead}</p>}
      {children}
    </section>
  );
}
