import { LinkedWords } from '../../navigation/linked-words.tsx';
import { describeFailure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/use-now.ts';
import css from './check-home.module.css';
import { truthWords } from './truth-words.ts';
import { useStats } from './use-stats.ts';

export function TruthLine() {
  const { data, error, refetch } = useStats();
  const nowMs = useNow(30_000);
  const state = data !== undefined ? 'ready' : error === null ? 'loading' : 'error';
  return (
    <p className={css.truth} data-state={state} aria-busy={state === 'loading'}>
      {data !== undefined && <LinkedWords words={truthWords(data, nowMs)} />}
      {state === 'error' && (
        <>
          How much is listed here is not known: {describeFailure(error, nowMs).title.toLowerCase()}.{' '}
          <Button look="plain" onClick={() => void refetch()}>
            Ask again
          </Button>
        </>
      )}
    </p>
  );
}
