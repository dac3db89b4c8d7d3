import type { CheckSeen } from './check-seen.ts';
import { completenessOf } from './completeness.ts';
import css from './completeness-footer.module.css';

export function CompletenessFooter({ seen }: { seen: CheckSeen }) {
  const { reputation, insights, done } = seen;
  if (reputation === undefined) return null;
  const { answered, missing } = completenessOf(seen);
  const snapshot = insights?.dataTrust.snapshotId;
  return (
    <footer className={css.footer}>
      <p>
        {answered} {missing}
      </p>
      <p>
        {snapshot !== undefined && (
          <>
            State of the data <code>{snapshot}</code>
          </>
        )}
        {done !== undefined && `${snapshot === undefined ? 'A' : ', a'}nswered in ${done.processingTime} ms`}
      </p>
    </footer>
  );
}
