import { exact } from '../../words/numbers.ts';
import { KEPT_ROWS_MAX } from './kept-run.ts';
import { useIsKept } from './run-memory.ts';

export function KeptNote() {
  const isKept = useIsKept();
  return (
    <p className="note">
      {isKept
        ? `Kept in this tab until you close it or sign out, up to ${exact(KEPT_ROWS_MAX)} rows. A reload is not charged again.`
        : 'These rows are too many for this browser to keep. Save a CSV before you close or reload the page.'}
    </p>
  );
}
