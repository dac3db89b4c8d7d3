import { useMemo, useState } from 'react';
import { type Action, useActions } from '../../frame/actions.ts';
import { announce } from '../../frame/announce.tsx';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { describeFailure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { exact, plural } from '../../words/numbers.ts';
import css from './context.module.css';
import { emptyWords, type Subject, withheldWords } from './context-words.ts';
import { type MemberRow, toRow, valuesText } from './member-rows.ts';
import { MemberTable } from './member-table.tsx';
import { type Ask, type Members, type Order, useMore } from './use-context.ts';

const ORDERS: readonly { readonly order: Order; readonly title: string }[] = [
  { order: 'worst', title: 'Worst first' },
  { order: 'newest', title: 'Newest first' },
];

/** The members of a page, worst or newest first. The order is in the address, so that a link shows the same list. */
export function MembersSection({
  subject,
  of,
  members,
  ask,
}: {
  subject: Subject;
  of: readonly string[];
  members: Members;
  ask: Ask<Members>;
}) {
  const { path, search } = useShownPlace();
  const order: Order = search.order === 'newest' ? 'newest' : 'worst';
  const more = useMore(of, order, members[order], ask);
  const rows = useMemo(() => more.members.map(toRow), [more.members]);
  const withheld = withheldWords(members.counts);
  return (
    <section className={css.members}>
      <h2>Values</h2>
      {rows.length === 0 ? (
        <p className={css.empty} data-state="empty">
          {emptyWords(subject, members.counts)}
        </p>
      ) : (
        <>
          <div className={css.bar}>
            {ORDERS.map((each) => (
              <Button
                key={each.order}
                aria-pressed={each.order === order}
                onClick={() =>
                  go(path, {
                    search: { ...search, order: each.order === 'worst' ? undefined : each.order },
                    replace: true,
                    keepsScroll: true,
                  })
                }
              >
                {each.title}
              </Button>
            ))}
            <CopyValues rows={rows} />
          </div>
          {withheld !== null && <p className="note">{withheld}</p>}
          <MemberTable rows={rows} caption={`Listed values, ${order} first`} />
          <MoreBelow more={more} />
        </>
      )}
    </section>
  );
}

function MoreBelow({ more }: { more: ReturnType<typeof useMore> }) {
  return (
    <div className={css.more} aria-busy={more.isFetching}>
      {more.error !== null && !more.isFetching && (
        <FailureNote failure={describeFailure(more.error, Date.now())} retry={more.showMore} />
      )}
      {more.hasMore && (more.error === null || more.isFetching) && (
        <Button disabled={more.isFetching} onClick={more.showMore}>
          {more.isFetching ? 'Asking for more' : 'Show more'}
        </Button>
      )}
      <span className="note" role="status">
        {plural(more.members.length, 'value')} shown
        {more.hasMore ? '' : ', the end of this list'}.
      </span>
    </div>
  );
}

function CopyValues({ rows }: { rows: readonly MemberRow[] }) {
  const [failed, setFailed] = useState<string | null>(null);
  const copy = useMemo(
    () => async () => {
      const text = valuesText(rows);
      const isCopied = await copyText(text);
      setFailed(isCopied ? null : text);
      announce(isCopied ? `${plural(rows.length, 'value')} copied.` : 'The browser did not allow copying.');
    },
    [rows],
  );
  useActions(
    useMemo<readonly Action[]>(
      () => [
        {
          id: 'copy-values',
          title: 'Copy these values',
          group: 'This page',
          keys: 'y',
          run: () => void copy(),
        },
      ],
      [copy],
    ),
  );
  return (
    <>
      <Button keys="y" aria-keyshortcuts="y" onClick={() => void copy()}>
        Copy these values ({exact(rows.length)})
      </Button>
      {failed !== null && (
        <label className={css.failed}>
          This browser does not let the page copy. Select the text and copy it yourself.
          <textarea readOnly rows={6} value={failed} onFocus={({ target }) => target.select()} />
        </label>
      )}
    </>
  );
}
