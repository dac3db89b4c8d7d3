import { lazy, Suspense } from 'react';
import { persistently } from '../../../service/persistently.ts';
import type { CheckSeen } from './check-seen.ts';
import later from './later.module.css';

/** Loaded lazily, because it lies below the first screen: the verdict must not wait for its script. */
export const SourcesSection = lazy(async () => ({
  default: (await persistently(() => import('./sources-section.tsx'))).SourcesSection,
}));
const HistoryNow = lazy(async () => ({
  default: (await persistently(() => import('./history-section.tsx'))).HistoryNow,
}));
const ContextPanelsNow = lazy(async () => ({
  default: (await persistently(() => import('./context-panels.tsx'))).ContextPanelsNow,
}));

const FooterNow = lazy(async () => ({
  default: (await persistently(() => import('./completeness-footer.tsx'))).CompletenessFooter,
}));

type Props = { readonly seen: CheckSeen; readonly isSignedIn: boolean };

/** Stays empty until the first phase, because the rows of the sources table above would push its content down. */
export const HistorySection = (props: Props) => (
  <Suspense fallback={<div className={later.history} />}>
    {props.seen.reputation === undefined ? <div className={later.history} /> : <HistoryNow {...props} />}
  </Suspense>
);

export const ContextPanels = (props: Props) => (
  <Suspense fallback={<div className={later.panels} />}>
    {props.seen.reputation === undefined ? <div className={later.panels} /> : <ContextPanelsNow {...props} />}
  </Suspense>
);

export const CompletenessFooter = ({ seen }: Pick<Props, 'seen'>) => (
  <Suspense>{seen.reputation !== undefined && <FooterNow seen={seen} />}</Suspense>
);
