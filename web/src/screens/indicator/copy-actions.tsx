import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { permalinkOf } from '../../box/permalink.ts';
import { type Action, useActions } from '../../frame/actions.ts';
import { announce } from '../../frame/announce.tsx';
import { hrefOf } from '../../navigation/address.ts';
import { pageConfig } from '../../service/page-config.ts';
import { persistently } from '../../service/persistently.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import type { CheckState } from './check-state.ts';
import css from './copy-actions.module.css';
import { COPY_FORMS, type CopyForm } from './copy-list.ts';
import { SaveReport } from './save-report.tsx';
import { checkDesk } from './use-check.ts';

const CopyMenu = lazy(async () => ({
  default: (await persistently(() => import('./copy-menu.tsx'))).CopyMenu,
}));

type Copied =
  | { readonly kind: 'copied'; readonly title: string }
  /** The browser refused to copy, so the text is shown for manual copying. */
  | { readonly kind: 'failed'; readonly title: string; readonly text: string }
  | { readonly kind: 'nothing'; readonly title: string };

const SHOWN_MS = 2_500;

export function CopyActions({ state }: { state: CheckState }) {
  const { copied, copy, forget } = useCopy(state);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useOffered(state, copy);
  return (
    <div className={css.actions}>
      <Button look="primary" keys="y" aria-keyshortcuts="y" onClick={() => copy('ticket')}>
        Copy
      </Button>
      <button
        type="button"
        ref={trigger}
        className={css.more}
        aria-haspopup="menu"
        aria-expanded={isMenuOpen}
        onClick={() => setMenuOpen(true)}
      >
        Copy as…
      </button>
      {isMenuOpen && (
        <Suspense>
          <CopyMenu trigger={trigger} close={() => setMenuOpen(false)} pick={copy} />
        </Suspense>
      )}
      <SaveReport state={state} />
      {copied !== null && <CopiedNote copied={copied} forget={forget} />}
    </div>
  );
}

function CopiedNote({ copied, forget }: { copied: Copied; forget: () => void }) {
  if (copied.kind === 'copied') return <span className={css.note}>Copied: {copied.title}</span>;
  if (copied.kind === 'nothing')
    return (
      <span className={css.note}>{copied.title}: there is nothing to copy before the first answer.</span>
    );
  return (
    <div className={css.failed}>
      <label>
        This browser does not let the page copy. Select the text and copy it yourself.
        <textarea readOnly rows={6} value={copied.text} onFocus={(event) => event.target.select()} />
      </label>
      <Button onClick={forget}>Close</Button>
    </div>
  );
}

function useCopy(state: CheckState) {
  const [copied, setCopied] = useState<Copied | null>(null);
  // The copy function reads the state from a ref, so that it and the offered actions stay the same while phases arrive.
  const latest = useRef(state);
  latest.current = state;
  useEffect(() => {
    if (copied === null || copied.kind === 'failed') return;
    const timer = setTimeout(() => setCopied(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = useMemo(
    () => async (form: CopyForm) => {
      const title = COPY_FORMS.find((each) => each.form === form)?.title ?? form;
      const { formOf, newUuid } = await import('./copy-forms.ts');
      const permalink = location.origin + hrefOf(permalinkOf(latest.current.target));
      const text = formOf(form, latest.current, { permalink, apiUrl: pageConfig.apiUrl }, newUuid());
      if (text === null) return setCopied({ kind: 'nothing', title });
      const isCopied = await copyText(text);
      setCopied(isCopied ? { kind: 'copied', title } : { kind: 'failed', title, text });
      if (isCopied) announce(`Copied: ${title}`);
    },
    [],
  );
  return { copied, copy: (form: CopyForm) => void copy(form), forget: () => setCopied(null) };
}

function useOffered(state: CheckState, copy: (form: CopyForm) => void): void {
  const { type, value } = state.target;
  const act = useRef(copy);
  act.current = copy;
  useActions(
    useMemo<readonly Action[]>(
      () => [
        ...COPY_FORMS.map(({ form, title, keys }) => ({
          id: `copy-${form}`,
          title: `Copy: ${title}`,
          group: 'This page' as const,
          ...(keys !== null && { keys }),
          run: () => act.current(form),
        })),
        {
          id: 'check-again',
          title: 'Check again (costs one check)',
          group: 'This page',
          keys: 'r',
          run: () => checkDesk.again({ type, value }),
        },
      ],
      [type, value],
    ),
  );
}
