import { useState } from 'react';
import { announce } from '../../frame/announce.tsx';
import { go } from '../../navigation/place.ts';
import { ConfirmLayer } from '../../secrets/confirm-layer.tsx';
import { assay } from '../../service/client.ts';
import { turnTo } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import table from '../../ui/stacked-table.module.css';
import css from './security.module.css';
import { type Account, accountOf, openedBy, programOf, type Session } from './security-words.ts';
import { askSecurityAgain, useSessions } from './use-security.ts';

type Open = 'others' | Session | null;

export function SessionsPanel({ organizations }: { organizations: readonly Account[] }) {
  const asked = useSessions();
  const [open, setOpen] = useState<Open>(null);
  const sessions = asked.data?.sessions ?? [];
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <Panel
      title="Open sessions"
      note="Every browser in which you are signed in, in all of your accounts. A session ends after 12 hours without use, and after 7 days."
      state={queryPanel(asked, 'Asking for your sessions.')}
      minHeight={200}
    >
      <table className={table.table} aria-label="Open sessions">
        <thead>
          <tr>
            <th scope="col">Program</th>
            <th scope="col">Signed in with</th>
            <th scope="col">From</th>
            <th scope="col">Works for</th>
            <th scope="col">Opened</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <SessionRow key={session.id} of={session} organizations={organizations} end={setOpen} />
          ))}
        </tbody>
      </table>
      {others.length > 0 && (
        <p className={css.actions}>
          <Button onClick={() => setOpen('others')}>
            {others.length === 1 ? 'End the other session' : `End the ${others.length} other sessions`}
          </Button>
        </p>
      )}
      {open !== null && <EndSessions of={open === 'others' ? others : [open]} close={() => setOpen(null)} />}
    </Panel>
  );
}

function SessionRow({
  of,
  organizations,
  end,
}: {
  of: Session;
  organizations: readonly Account[];
  end: (of: Session) => void;
}) {
  const program = programOf(of.userAgent);
  return (
    <tr>
      <th scope="row">
        <span title={of.userAgent}>
          <InertText>{program}</InertText>
        </span>
        {of.isCurrent && <p className="note">This browser, now.</p>}
      </th>
      <td>
        <span className={table.narrow}>Signed in with </span>
        {openedBy(of)}
      </td>
      <td>
        <span className={table.narrow}>From </span>
        <InertText mono>{of.address || 'unknown'}</InertText>
      </td>
      <td>
        <span className={table.narrow}>Works for </span>
        <InertText>{accountOf(of.accountId, organizations)}</InertText>
      </td>
      <td>
        <span className={table.narrow}>Opened </span>
        <Moment at={of.openedAt} />
      </td>
      <td>
        <span className={table.narrow}>Last used </span>
        <Moment at={of.lastSeenAt} />
      </td>
      <td className={table.act}>
        <Button
          aria-label={of.isCurrent ? 'End this session' : `End the session of ${program} from ${of.address}`}
          onClick={() => end(of)}
        >
          End
        </Button>
      </td>
    </tr>
  );
}

function EndSessions({ of, close }: { of: readonly Session[]; close: () => void }) {
  const isThis = of[0]?.isCurrent === true;
  const end = async () => {
    try {
      for (const { id } of of) await assay.call('deleteApiAuthSessionsId', { path: { id } });
    } finally {
      // Also after a failure, because some of several sessions may have ended: the list must show those that are left.
      if (!isThis) await askSecurityAgain();
    }
    announce(of.length === 1 ? 'The session is ended.' : `${of.length} sessions are ended.`);
    if (!isThis) return;
    await turnTo({ signedIn: false });
    go('/sign-in');
  };
  return (
    <ConfirmLayer
      title={of.length === 1 ? 'End the session' : 'End all other sessions'}
      act={of.length === 1 ? 'End it' : 'End them'}
      acting="Ending"
      change={end}
      close={close}
    >
      <p>
        {isThis
          ? 'You are signed out in this browser.'
          : of.length === 1
            ? 'It can do nothing from its next request on. Keys go on working.'
            : `${of.length} sessions of yours can do nothing from their next request on. Keys go on working.`}
      </p>
      {!isThis && (
        <p>Was it not you? Set a new password as well, which ends every session, and look at your keys.</p>
      )}
    </ConfirmLayer>
  );
}
