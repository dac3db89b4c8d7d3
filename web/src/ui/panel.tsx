import css from './panel.module.css';
import { useIsNarrow } from './use-is-narrow.ts';

/**
 * The states of a panel whose content arrives after the page: loading, partly here, empty, stale or incomplete, failed.
 * `ready` is the normal state.
 */
export type PanelState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loading'; readonly what: string }
  | { readonly kind: 'partial'; readonly what: string }
  | { readonly kind: 'empty'; readonly why: string; readonly more?: React.ReactNode }
  | { readonly kind: 'degraded'; readonly what: string; readonly retry?: () => void }
  | { readonly kind: 'error'; readonly what: string; readonly retry?: () => void };

type PanelProps = {
  title: string;
  note?: React.ReactNode;
  state?: PanelState;
  minHeight?: number;
  children?: React.ReactNode;
};

/** A section of a page. Its height is reserved before the content arrives, so that nothing below it moves. */
export function Panel({ title, minHeight = 0, ...rest }: PanelProps) {
  const { state = READY } = rest;
  return (
    <section
      className={css.panel}
      style={{ minHeight }}
      aria-busy={state.kind === 'loading'}
      data-state={state.kind}
    >
      <h2 className={css.title}>{title}</h2>
      <PanelBody {...rest} />
    </section>
  );
}
const READY: PanelState = { kind: 'ready' };

/** A panel that can be folded on a narrow page and is always open on a wide one. */
export function FoldingPanel({ startsOpen, ...panel }: PanelProps & { startsOpen: boolean }) {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return <Panel {...panel} />;
  const { title, minHeight: _reserved, ...rest } = panel;
  const { state = READY } = rest;
  return (
    <details className={css.fold} open={startsOpen} data-state={state.kind}>
      <summary className={css.foldHead}>
        <h2>{title}</h2>
      </summary>
      <div className={css.foldBody} aria-busy={state.kind === 'loading'}>
        <PanelBody {...rest} />
      </div>
    </details>
  );
}

function PanelBody({ note, state = READY, children }: Omit<PanelProps, 'title' | 'minHeight'>) {
  const shows = state.kind === 'ready' || state.kind === 'partial' || state.kind === 'degraded';
  return (
    <>
      {note !== undefined && <div className="note">{note}</div>}
      {state.kind !== 'ready' && <PanelNote state={state} />}
      {shows && children}
    </>
  );
}

function PanelNote({ state }: { state: Exclude<PanelState, { kind: 'ready' }> }) {
  if (state.kind === 'empty')
    return (
      <>
        <p className={css.empty}>{state.why}</p>
        {state.more}
      </>
    );
  const retry = 'retry' in state ? state.retry : undefined;
  return (
    <p className={css.pending}>
      {state.what}{' '}
      {retry !== undefined && (
        <button type="button" className={css.retry} onClick={retry}>
          Ask again
        </button>
      )}
    </p>
  );
}
