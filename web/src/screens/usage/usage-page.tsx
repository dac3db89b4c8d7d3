import { useQuery } from '@tanstack/react-query';
import { DayBars } from '../../charts/day-bars.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { assay } from '../../service/client.ts';
import { SESSION_KEY, type SignedIn, useSession } from '../../service/session.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Panel, type PanelState } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import { useNow } from '../../ui/use-now.ts';
import { exact } from '../../words/numbers.ts';
import css from './usage.module.css';
import {
  monthSentence,
  nextMonth,
  requestsSentence,
  shareOf,
  statusWord,
  storageSentence,
} from './usage-words.ts';

const DAYS = 30;
/** How often the page asks again. The service counts a request within ten seconds of its end. */
const AGAIN_MS = 30_000;
const ENDPOINTS_SHOWN = 12;

export default function UsagePage() {
  useTitle('Usage');
  const session = useSession();
  return (
    <>
      <h1 className={`page-title ${css.title}`}>Usage</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && (
        <p className={css.lead} data-state="empty">
          <Link to="/sign-in" search={{ next: '/usage' }}>
            Sign in
          </Link>{' '}
          to see what your keys asked and what is left of the month.
        </p>
      )}
      {session.state === 'signed-in' && <OfAccount session={session} key={session.account.id} />}
    </>
  );
}

function OfAccount({ session: { organization, account, plan } }: { session: SignedIn }) {
  const asked = useQuery({
    queryKey: [...SESSION_KEY, 'usage'],
    queryFn: ({ signal }) => assay.call('getUserAnalytics', { query: { days: DAYS } }, { signal }),
    staleTime: AGAIN_MS,
  });
  const stored = useQuery({
    queryKey: [...SESSION_KEY, 'storage'],
    queryFn: ({ signal }) => assay.call('getMetricsSubscription', {}, { signal }),
    staleTime: AGAIN_MS,
  });
  const nowMs = useNow(60_000);
  const { data } = asked;
  const state = queryPanel(asked, 'Asking what was counted.');
  return (
    <>
      <p className={css.lead}>
        {organization?.name ?? account.email} on the {plan} plan. A new month begins on {nextMonth(nowMs)} at
        00:00 UTC. <Link to="/keys">Keys</Link>
      </p>
      <Panel title="This month" state={state} minHeight={120}>
        {data !== undefined && (
          <>
            <Month used={data.monthly.used} limit={data.monthly.limit}>
              {monthSentence(data.monthly, 'check', nowMs)}
            </Month>
            <Month used={data.scans.used} limit={data.scans.limit}>
              {monthSentence(data.scans, 'scan', nowMs)}
            </Month>
            <p className="note">
              A check pays for each verdict on a value of your choice: a check, a row of a batch, a search, a
              new watched value, a page of a range, network, source or family, and the history of a value that
              you have not checked in 30 days. The same page again within 24 hours costs nothing.
            </p>
          </>
        )}
      </Panel>
      <Panel title="Storage" state={queryPanel(stored, 'Asking what is stored.')} minHeight={60}>
        {stored.data !== undefined && (
          <Month used={stored.data.storage.used} limit={stored.data.storage.limit}>
            {storageSentence(stored.data.storage)}
          </Month>
        )}
      </Panel>
      {data !== undefined && <Requests data={data} state={state} />}
    </>
  );
}

function Requests({
  data,
  state,
}: {
  data: NonNullable<Awaited<ReturnType<typeof assay.call<'getUserAnalytics'>>>>;
  state: PanelState;
}) {
  const { requests } = data;
  if (requests.total === 0)
    return (
      <Panel
        title="Requests"
        state={{
          kind: 'empty',
          why: 'Nothing was asked yet.',
          more: <Link to="/keys">Make a key and run its first curl</Link>,
        }}
      />
    );
  const statuses = Object.entries(requests.byStatus).map(([name, count]) => ({
    id: statusWord(name),
    count,
  }));
  const endpoints = requests.byEndpoint
    .slice(0, ENDPOINTS_SHOWN)
    .map(({ endpoint, count }) => ({ id: endpoint, count }));
  return (
    <>
      <Panel title="Requests by day" note={requestsSentence(data)} state={state} minHeight={240}>
        <DayBars
          days={requests.byDay.map(({ day, count }) => ({ day, added: count, removed: 0 }))}
          label={requestsSentence(data)}
          names={['Requests']}
        />
      </Panel>
      <Panel title="By route" note="Keys and sessions of this account, refusals included.">
        <Counts of="Route" rows={endpoints} total={requests.total} />
      </Panel>
      <Panel title="By answer">
        <Counts of="Answer" rows={statuses} total={requests.total} />
      </Panel>
    </>
  );
}

const Month = ({ used, limit, children }: { used: number; limit: number; children: string }) => (
  <div className={css.month}>
    <p>{children}</p>
    {limit > 0 && (
      <span className={css.track} aria-hidden="true">
        <span className={css.bar} style={{ width: `${Math.min(100, (100 * used) / limit)}%` }} />
      </span>
    )}
  </div>
);

const Counts = ({
  of,
  rows,
  total,
}: {
  of: string;
  rows: readonly { readonly id: string; readonly count: number }[];
  total: number;
}) => (
  <table className={css.counts} aria-label={`Requests by ${of.toLowerCase()}`}>
    <thead>
      <tr>
        <th scope="col">{of}</th>
        <th scope="col" className="number">
          Requests
        </th>
        <th scope="col" className="number">
          Share
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ id, count }) => (
        <tr key={id}>
          <td>
            <InertText mono>{id}</InertText>
          </td>
          <td className="number">{exact(count)}</td>
          <td className="number">{shareOf(count, total)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
