import { useQuery } from '@tanstack/react-query';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/use-now.ts';
import css from './check-home.module.css';
import { truthLine } from './truth-words.ts';

const AGAIN_MS = 300_000;

export function TruthLine() {
  const { data, error, refetch } = useQuery({
    queryKey: ['stats'],
    queryFn: ({ signal }) => assay.call('getStats', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
  const nowMs = useNow(30_000);
  const state = data !== undefined ? 'ready' : error === null ? 'loading' : 'error';
  return (
    <p className={css.truth} data-state={state} aria-busy={state === 'loading'}>
      {data !== undefined && <Line {...truthLine(data, nowMs)} />}
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

const Line = ({ text, title }: { text: string; title: string }) => <span title={title}>{text}</span>;
