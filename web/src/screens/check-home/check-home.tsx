import { useEffect, useRef } from 'react';
import { askBox } from '../../box/box-requests.ts';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { useRecentChecks } from '../../service/recent.ts';
import { useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import css from './check-home.module.css';
import { Examples, RecentChecks } from './recent-checks.tsx';
import { TruthLine } from './truth-line.tsx';

export default function CheckHome() {
  useTitle('Check');
  useAddressBarQuestion();
  const session = useSession();
  const recent = useRecentChecks();
  return (
    <div className={css.page}>
      <h1 className={css.title}>Check an indicator</h1>
      <TruthLine />
      <p className={css.file}>
        <Button onClick={() => askBox({ kind: 'choose-file' })}>Choose a file</Button>
        <span className="note">
          or drop one or several anywhere on this page. They are hashed in your browser and not uploaded: only
          the hash leaves.
        </span>
      </p>
      {recent.length === 0 ? <Examples /> : <RecentChecks checks={recent} />}
      {session.state === 'signed-out' && (
        <p className={css.limit}>
          You are signed out: each network has a small number of free checks.{' '}
          <Link to="/sign-in">Sign in with a key</Link> for more, and for bulk triage.
        </p>
      )}
    </div>
  );
}

/** Handles `?q=` like a paste and removes it from the address, because it may contain an e-mail address. */
function useAddressBarQuestion(): void {
  const { q } = useShownPlace().search;
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (q === undefined || q === '' || asked.current === q) return;
    asked.current = q;
    go('/', { replace: true });
    askBox({ kind: 'check', text: q, history: 'replace' });
  }, [q]);
}
