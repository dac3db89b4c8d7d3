import type { DataOpsPipeline, PipelineRun } from '@assay/sdk';
import { useQuery } from '@tanstack/react-query';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { SESSION_KEY } from '../../service/session.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel, type PanelState } from '../../ui/panel.tsx';
import { exact } from '../../words/numbers.ts';
import css from './freshness.module.css';
import { tookFor } from './freshness-words.ts';

const AGAIN_MS = 60_000;

export function Pipeline() {
  const { data, error, refetch } = useQuery({
    queryKey: [...SESSION_KEY, 'pipeline'],
    queryFn: ({ signal }) => assay.call('getPlatformDataOpsPipeline', {}, { signal }),
    refetchInterval: AGAIN_MS,
  });
  const run = data === undefined ? null : runOf(data);
  const phases = data?.phases ?? [];
  return (
    <div className={css.pipeline}>
      <Panel
        title="How a list gets here"
        note={run === null ? undefined : <LastRun run={run} />}
        state={stateOf(data, error, () => void refetch())}
      >
        <ol className={css.steps}>
          {phases.map(({ id, label, requiredForSla }) => (
            <Step
              key={id}
              label={label}
              isNeeded={requiredForSla}
              did={run?.phases.find((phase) => phase.id === id)}
            />
          ))}
        </ol>
      </Panel>
    </div>
  );
}

function stateOf(data: DataOpsPipeline | undefined, error: unknown, retry: () => void): PanelState {
  if (data !== undefined) return { kind: 'ready' };
  if (error === null) return { kind: 'loading', what: 'Asking for the last run.' };
  return { kind: 'error', what: `${describeFailure(error, Date.now()).title}.`, retry };
}

/** Before the first run the service sends an empty object. */
const runOf = ({ lastRun }: DataOpsPipeline): PipelineRun | null =>
  'startedAt' in lastRun ? (lastRun as PipelineRun) : null;

function LastRun({ run }: { run: PipelineRun }) {
  return (
    <>
      Last run: <InertText>{run.sourceId ?? 'all sources'}</InertText>, {run.status},{' '}
      <Moment at={run.startedAt} />, {tookFor(run.durationMs)}.{' '}
      {run.reason !== null && <InertText>{run.reason}</InertText>}
    </>
  );
}

function Step({
  label,
  isNeeded,
  did,
}: {
  label: string;
  isNeeded: boolean;
  did: PipelineRun['phases'][number] | undefined;
}) {
  return (
    <li className={css.step}>
      <span>{label}</span>
      <span className="note">
        {did === undefined ? 'not reached' : `${did.status}, ${tookFor(did.durationMs)}`}
        {did?.records != null && `, ${exact(did.records)} entries`}
        {isNeeded ? '' : '. The data stays fresh without it.'}
      </span>
    </li>
  );
}
