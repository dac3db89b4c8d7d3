import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { SESSION_KEY, useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { fieldOf } from '../../ui/field-of.ts';
import { exact } from '../../words/numbers.ts';
import { DownloadAll } from './download-all.tsx';
import { PAGE_SIZE, pageOf } from './report-words.ts';
import css from './reports.module.css';
import { ReportsTable } from './reports-table.tsx';

export default function ReportsPage() {
  useTitle('Reports');
  const session = useSession();
  return (
    <>
      <h1 className={`page-title ${css.title}`}>Reports</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && <SignedOut next="/reports" />}
      {session.state === 'signed-in' && <SavedReports mayWrite={session.role !== 'VIEWER'} />}
    </>
  );
}

export const SignedOut = ({ next }: { next: string }) => (
  <p className={css.lead} data-state="empty">
    <Link to="/sign-in" search={{ next }}>
      Sign in
    </Link>{' '}
    to save checks and to see what your account has saved.
  </p>
);

function SavedReports({ mayWrite }: { mayWrite: boolean }) {
  const { search } = useShownPlace();
  const [page, wanted] = [pageOf(search), search.search ?? ''];
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...SESSION_KEY, 'reports', page, wanted],
    queryFn: ({ signal }) =>
      assay.call(
        'getReports',
        { query: { page, limit: PAGE_SIZE, ...(wanted !== '' && { search: wanted }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    // A report may have been saved a moment ago, on the page of an indicator.
    staleTime: 0,
  });
  if (data === undefined && error !== null)
    return (
      <div data-state="error">
        <FailureNote failure={describeFailure(error, Date.now())} retry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <div className={css.waiting} data-state="loading" aria-busy="true" />;
  const { reports, total } = data;
  const state =
    error !== null ? 'degraded' : isPlaceholderData ? 'partial' : reports.length === 0 ? 'empty' : 'ready';
  return (
    <div data-state={state} aria-busy={state === 'partial'}>
      <p className={css.lead}>
        Checks are never saved by themselves. What is here was saved from the page of an indicator or through
        the API, as it was then.
      </p>
      <div className={css.bar}>
        <Search wanted={wanted} />
        {total > 0 && <DownloadAll />}
      </div>
      {error !== null && (
        <p className={css.old}>
          This is the last list that came; the service has not answered since.{' '}
          <Button look="plain" onClick={() => void refetch()}>
            Ask again
          </Button>
        </p>
      )}
      {reports.length === 0 ? (
        <Nothing wanted={wanted} total={total} />
      ) : (
        <>
          <ReportsTable reports={reports} mayWrite={mayWrite} deleted={() => void refetch()} />
          <Pages page={page} total={total} wanted={wanted} />
        </>
      )}
    </div>
  );
}

function Search({ wanted }: { wanted: string }) {
  const submit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = fieldOf(new FormData(event.currentTarget), 'search');
    go('/reports', { search: { search: text === '' ? undefined : text } });
  };
  return (
    <form onSubmit={submit} className={css.search}>
      <label className="visually-hidden" htmlFor="report-search">
        Search by value, note or tag
      </label>
      <input
        key={wanted}
        id="report-search"
        name="search"
        type="search"
        className={css.field}
        defaultValue={wanted}
        maxLength={200}
        placeholder="Value, note or tag"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}

function Nothing({ wanted, total }: { wanted: string; total: number }) {
  if (wanted !== '' || total > 0)
    return (
      <p className={css.old}>
        {total > 0
          ? 'This page of the list is empty.'
          : 'No saved report has this text in its value, note or tags.'}{' '}
        <Link to="/reports">Show all</Link>
      </p>
    );
  return (
    <p className={css.old}>
      Nothing is saved yet. <Link to="/">Check something</Link> and press <b>Save report</b> (<kbd>s</kbd>) on
      its page.
    </p>
  );
}

function Pages({ page, total, wanted }: { page: number; total: number; wanted: string }) {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const searchOf = (to: number) => ({
    search: wanted === '' ? undefined : wanted,
    page: to === 1 ? undefined : String(to),
  });
  const from = (page - 1) * PAGE_SIZE;
  return (
    <nav className={css.pages} aria-label="Pages of the list">
      <span>
        {exact(from + 1)} to {exact(Math.min(total, from + PAGE_SIZE))} of {exact(total)}
      </span>
      {page > 1 && (
        <Link to="/reports" search={searchOf(page - 1)} aria-label="Newer reports">
          Newer
        </Link>
      )}
      {page < last && (
        <Link to="/reports" search={searchOf(page + 1)} aria-label="Older reports">
          Older
        </Link>
      )}
    </nav>
  );
}
