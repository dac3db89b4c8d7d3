import { duration } from '../words/time.ts';
import { Button } from './button.tsx';
import { useNow } from './use-now.ts';

/** Counts down to `untilMs`, then offers a retry. It never retries by itself, because a check costs quota. */
export function Countdown({ untilMs, whenDone }: { untilMs: number; whenDone?: (() => void) | undefined }) {
  const nowMs = useNow(1_000);
  const leftMs = untilMs - nowMs;
  if (leftMs > 0) return <span data-countdown="">Try again in {duration(leftMs)}</span>;
  return whenDone === undefined ? (
    <span>You can try again now</span>
  ) : (
    <Button onClick={whenDone}>Try again</Button>
  );
}
