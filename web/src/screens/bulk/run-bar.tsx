import { Link } from '../../navigation/link.tsx';
import type { Session } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import css from './bulk.module.css';
import { type Allowance, type RunPlan, shortfallOf, truthOf } from './run-plan.ts';

export function RunBar({
  plan,
  state,
  allowance,
  isReading,
  hasRows,
  start,
}: {
  plan: RunPlan;
  state: Session['state'];
  allowance: Allowance;
  isReading: boolean;
  hasRows: boolean;
  start: () => void;
}) {
  const shortfall = shortfallOf(plan, allowance);
  const isNothing = plan.entities.length === 0;
  return (
    <div className={css.runBar}>
      <p className={css.truth}>
        {isNothing ? 'Nothing to check yet.' : `${truthOf(plan, allowance)}.`}
        {shortfall !== null && (
          <>
            {' '}
            <b>{shortfall}</b>
          </>
        )}
        {hasRows && !isNothing && ' A new run replaces the rows below.'}
      </p>
      {state === 'signed-out' ? (
        <p className={css.signIn}>
          Running a list needs a sign-in, because its checks are counted. Your text stays here.{' '}
          <Link to="/sign-in" search={{ next: '/bulk' }}>
            Sign in
          </Link>
        </p>
      ) : (
        <Button
          look="primary"
          keys="Ctrl Enter"
          disabled={state !== 'signed-in' || isReading || isNothing}
          onClick={start}
        >
          Run
        </Button>
      )}
    </div>
  );
}
