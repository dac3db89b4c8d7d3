import { describeFailure } from '../service/failure.ts';
import type { PanelState } from './panel.tsx';

type Asked = {
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
};

/** The state of a panel whose content comes from one query to the service. */
export function queryPanel({ data, error, refetch }: Asked, loading: string): PanelState {
  const retry = () => void refetch();
  if (data === undefined && error === null) return { kind: 'loading', what: loading };
  if (data === undefined) {
    const { title, detail } = describeFailure(error, Date.now());
    return { kind: 'error', what: `${title}. ${detail}`, retry };
  }
  if (error === null) return { kind: 'ready' };
  return {
    kind: 'degraded',
    what: 'This is the last answer that came; the service has not answered since.',
    retry,
  };
}
