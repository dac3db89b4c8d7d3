import { useState } from 'react';
import { InertText } from '../../ui/inert-text.tsx';
import { exact, plural } from '../../words/numbers.ts';
import css from './bulk.module.css';
import { isEmptyPreview, type Preview, type SentKind, SHOWN_MAX } from './preview.ts';
import type { TextState } from './text-store.ts';
import { typesWord } from './type-words.ts';

export function PreviewPanel({
  text: { preview, isReading, isEmpty },
  leftOut,
  toggle,
}: {
  text: TextState;
  leftOut: ReadonlySet<SentKind>;
  toggle: (kind: SentKind) => void;
}) {
  const state = isEmpty ? 'empty' : isReading ? 'loading' : 'ready';
  return (
    <section className={css.preview} aria-label="Found in the text" aria-busy={isReading} data-state={state}>
      <h2 className={css.found}>Found</h2>
      {isEmpty ? (
        <p className={css.teach}>
          IP addresses, domains, URLs and file hashes are found in any text, defanged or not: a log, a mail, a
          table, a report. You see here what would be checked, what is left out and why, and what it costs.
        </p>
      ) : isEmptyPreview(preview) ? (
        <p className={css.teach}>
          {isReading ? 'Reading the text.' : 'No indicator in this text. Nothing would be sent.'}
        </p>
      ) : (
        <Groups preview={preview} leftOut={leftOut} toggle={toggle} />
      )}
    </section>
  );
}

function Groups({
  preview,
  leftOut,
  toggle,
}: {
  preview: Preview;
  leftOut: ReadonlySet<SentKind>;
  toggle: (kind: SentKind) => void;
}) {
  const { groups, reserved, ranges, rejected } = preview;
  return (
    <>
      {groups.map(({ kind, values }) => (
        <Fold
          key={kind}
          title={typesWord(kind)}
          total={values.length}
          isLeftOut={leftOut.has(kind)}
          toggle={() => toggle(kind)}
          note={kind === 'email' && leftOut.has(kind) ? 'Personal: only sent when you tick it.' : undefined}
        >
          {values.slice(0, SHOWN_MAX).map((value) => (
            <li key={value}>
              <InertText mono>{value}</InertText>
            </li>
          ))}
        </Fold>
      ))}
      {reserved.total > 0 && (
        <Fold
          title="Private and reserved"
          total={reserved.total}
          isLeftOut
          note="Not sent: they have no public reputation."
        >
          {reserved.shown.map(({ value, why }) => (
            <li key={value}>
              <InertText mono>{value}</InertText> <span className="note">{why}</span>
            </li>
          ))}
        </Fold>
      )}
      {ranges.total > 0 && (
        <Fold title="Ranges" total={ranges.total} isLeftOut note="Not sent: check one address of a range.">
          {ranges.shown.map((value) => (
            <li key={value}>
              <InertText mono>{value}</InertText>
            </li>
          ))}
        </Fold>
      )}
      {rejected.total > 0 && (
        <Fold title="Not readable" total={rejected.total} isLeftOut note="Not sent. Each with its reason.">
          {rejected.shown.map(({ raw, reason }) => (
            <li key={raw}>
              <InertText mono>{raw}</InertText> <span className="note">{reason}</span>
            </li>
          ))}
        </Fold>
      )}
    </>
  );
}

/** One line that opens into its values. They are rendered only when open, because there can be thousands. */
function Fold({
  title,
  total,
  isLeftOut = false,
  toggle,
  note,
  children,
}: {
  title: string;
  total: number;
  isLeftOut?: boolean;
  toggle?: () => void;
  note?: string | undefined;
  children: React.ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={css.fold} data-left-out={isLeftOut || undefined}>
      {toggle !== undefined && (
        <input
          type="checkbox"
          className={css.tick}
          aria-label={`Check ${title}`}
          checked={!isLeftOut}
          onChange={toggle}
        />
      )}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span>{title}</span>
          <span className={css.count}>{exact(total)}</span>
        </summary>
        {isOpen && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it needs the keyboard focus.
          <ul className={css.values} tabIndex={0} aria-label={title}>
            {children}
            {total > SHOWN_MAX && <li className="note">and {plural(total - SHOWN_MAX, 'more', 'more')}</li>}
          </ul>
        )}
      </details>
      {note !== undefined && <p className={css.why}>{note}</p>}
    </div>
  );
}
