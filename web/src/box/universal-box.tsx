import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Action, useActions } from '../frame/actions.ts';
import { usePlace } from '../navigation/place.ts';
import { persistently } from '../service/persistently.ts';
import { plural } from '../words/numbers.ts';
import type { BoxRequest } from './box-requests.ts';
import layer from './layer.module.css';
import { takeFirstKeys } from './take-first-keys.ts';
import css from './universal-box.module.css';
import { type Box, useBox } from './use-box.ts';
import { usePageInput } from './use-page-input.ts';

// Loaded after the page, like the parser. Until they are here, Enter works without them.
const BoxNote = lazy(async () => ({ default: (await persistently(() => import('./box-note.tsx'))).BoxNote }));
const TypeChip = lazy(async () => ({
  default: (await persistently(() => import('./type-chip.tsx'))).TypeChip,
}));

/** A longer pasted text is shown as its number of lines. */
const SHOWN_CHARS_MAX = 2_000;
/** Text pasted on these pages may be a secret, so it must not reach the address bar. */
const TAKES_SECRETS = /^\/(?:sign-in|register|verify|forgot|reset|claim)$/;

export function UniversalBox() {
  const noteId = useId();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const { path } = usePlace();
  const isHome = path === '/';
  const [isFocused, setFocused] = useState(false);
  // On the home page the box has the focus from the start, which is no sign that the reader will type.
  const box = useBox(isFocused && !isHome);
  useEffect(() => {
    if (isHome) input.current?.focus({ preventScroll: true });
  }, [isHome]);
  const { type } = box;
  useLayoutEffect(() => {
    const typed = takeFirstKeys(input.current);
    if (typed !== '') type(typed);
  }, [type]);
  useBoxActions(input, fileInput);
  const taken = useTaken(box, input, fileInput);
  const { isDropping } = usePageInput(
    form,
    { takesPaste: !TAKES_SECRETS.test(path), takesDrops: isHome },
    taken,
  );
  const enter = async () => {
    if (await box.settle(box.text, box.way, { history: 'push', opensBulk: true })) leaveBox();
  };
  const hasReading = box.reading !== null && box.reading.kind !== 'nothing';
  const hasNote = box.problem === null && (hasReading || isDropping || box.files.length > 0 || box.isWaiting);
  return (
    <search>
      <form
        ref={form}
        className={css.form}
        data-dropping={isDropping || undefined}
        data-state={box.reading?.kind ?? 'unread'}
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <div className={css.box}>
          <Magnifier />
          <BoxField box={box} field={input} noteId={noteId} setFocused={setFocused} />
          <Suspense>{hasReading && <TypeChip box={box} />}</Suspense>
          {box.text === '' && <PasteButton onText={taken.onText} />}
          {box.text !== '' && box.reading?.kind !== 'list' && (
            <button type="submit" className={css.go}>
              Check
            </button>
          )}
        </div>
        <div id={noteId}>
          {box.problem !== null && <p className={layer.under}>{box.problem}</p>}
          <Suspense>{hasNote && <BoxNote box={box} isDropping={isDropping} />}</Suspense>
        </div>
        <input
          ref={fileInput}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            box.takeFiles(target.files ?? []);
            // Reset, so that choosing the same file again fires `change`.
            target.value = '';
          }}
        />
      </form>
    </search>
  );
}

const Magnifier = () => (
  <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true" className={css.icon}>
    <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round">
      <circle cx="11" cy="11" r="8" />
      <path d="m21 21-4.3-4.3" />
    </g>
  </svg>
);

function BoxField({
  box,
  field,
  noteId,
  setFocused,
}: {
  box: Box;
  field: React.RefObject<HTMLInputElement | null>;
  noteId: string;
  setFocused: (isFocused: boolean) => void;
}) {
  const shown = shownText(box.text);
  const isHidden = shown === '' && box.text !== '';
  return (
    <input
      ref={field}
      className={css.input}
      aria-label="Indicator to check"
      aria-describedby={noteId}
      placeholder={
        isHidden
          ? `Pasted text of ${plural(lineCount(box.text), 'line')}`
          : isNarrow()
            ? 'IP, domain, URL, hash…'
            : 'IP, domain, URL, hash or a list of them'
      }
      enterKeyHint="go"
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      value={shown}
      onChange={({ target }) => box.type(target.value)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain');
        // An input turns line ends into spaces; the bulk page needs the original lines.
        if (!/[\n\r]/.test(pasted.trim())) return;
        event.preventDefault();
        box.type(joined(event.currentTarget, pasted));
      }}
      onKeyDown={(event) => {
        if (event.key === 'Backspace' && isHidden) box.clear();
        // `/` is the shortcut that focuses the box. No indicator begins with it, so here it is ignored.
        if (event.key === '/' && box.text === '') event.preventDefault();
        if (event.key !== 'Escape') return;
        if (box.text === '' && box.files.length === 0) event.currentTarget.blur();
        else box.clear();
      }}
    />
  );
}

/**
 * Long-press to paste is slow on a touch screen. Plain HTTP pages have no clipboard API, so the button is hidden there.
 */
function PasteButton({ onText }: { onText: (text: string) => void }) {
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard?.readText === undefined || !matchMedia('(pointer: coarse)').matches) return null;
  const paste = async () => {
    // Rejects when the reader denies the browser's permission request.
    const text = await clipboard.readText().catch(() => '');
    if (text.trim() !== '') onText(text);
  };
  return (
    <button type="button" className={css.paste} onClick={paste}>
      Paste
    </button>
  );
}

const isNarrow = (): boolean => matchMedia('(max-width: 480px)').matches;

const lineCount = (text: string): number => text.trim().split('\n').length;

const shownText = (text: string): string => {
  if (!text.includes('\n')) return text;
  return text.length > SHOWN_CHARS_MAX ? '' : text.trim().replace(/\s*\n\s*/g, ' ');
};

function joined({ value, selectionStart, selectionEnd }: HTMLInputElement, pasted: string): string {
  const text = pasted.replace(/\r\n?/g, '\n');
  return value.slice(0, selectionStart ?? value.length) + text + value.slice(selectionEnd ?? value.length);
}

/** Moves the focus to the content of the page that opens, so that its shortcuts and its heading come next. */
function leaveBox(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

function useBoxActions(
  input: React.RefObject<HTMLInputElement | null>,
  fileInput: React.RefObject<HTMLInputElement | null>,
): void {
  useActions(
    useMemo<readonly Action[]>(
      () => [
        {
          id: 'box',
          title: 'Check something',
          group: 'View',
          keys: '/',
          run: () => {
            input.current?.focus();
            input.current?.select();
          },
        },
        {
          id: 'choose-file',
          title: 'Check files by their hashes',
          group: 'View',
          run: () => fileInput.current?.click(),
        },
      ],
      [input, fileInput],
    ),
  );
}

function useTaken(
  { settle, takeFiles }: Box,
  input: React.RefObject<HTMLInputElement | null>,
  fileInput: React.RefObject<HTMLInputElement | null>,
) {
  const check = useCallback(
    async (text: string, history: 'push' | 'replace') => {
      input.current?.focus({ preventScroll: true });
      if (await settle(text, 0, { history, opensBulk: false })) leaveBox();
    },
    [settle, input],
  );
  return {
    onText: useCallback((text: string) => void check(text.replace(/\r\n?/g, '\n'), 'push'), [check]),
    onFiles: takeFiles,
    onRequest: useCallback(
      (request: BoxRequest) => {
        if (request.kind === 'check') void check(request.text, request.history);
        else fileInput.current?.click();
      },
      [check, fileInput],
    ),
  };
}
