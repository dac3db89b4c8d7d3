import type { ReputationHistory } from '@assay/sdk';
import { useQuery } from '@tanstack/react-query';
import { StepTimeline } from '../../../charts/step-timeline.tsx';
import { assay } from '../../../service/client.ts';
import { describeFailure } from '../../../service/failure.ts';
import { FailureNote } from '../../../ui/failure-note.tsx';
import { Panel, type PanelState } from '../../../ui/panel.tsx';
import { useNow } from '../../../ui/use-now.ts';
import type { CheckSeen } from './check-seen.ts';
import { ChangesOfLists } from './history-changes.tsx';
import { expectsLine, historyLine, listChanges, noHistorySentence } from './history-line.ts';

const DAYS = 90;
const LINE_PX = 290;
const SENTENCE_PX = 96;

/** Since when and by how many sources it is listed. The record of past days needs a session. */
export function HistoryNow({ seen, isSignedIn }: { seen: CheckSeen; isSignedIn: boolean }) {
  const { target } = seen;
  const hasRecord = isSignedIn && (target.type === 'ip' || target.type === 'domain');
  const asked = useQuery({
    queryKey: ['history', target.value, DAYS],
    queryFn: ({ signal }): Promise<ReputationHistory> =>
      assay.call('getThreatIntelHistory', { query: { entity: target.value, days: DAYS } }, { signal }),
    enabled: hasRecord && seen.isOver,
    staleTime: Number.POSITIVE_INFINITY,
    // The request counts against the burst limit, so coming back to the page does not repeat it.
    retryOnMount: false,
  });
  const nowMs = useNow(60_000);
  const record = asked.data ?? null;
  const line = historyLine(seen, record, nowMs);
  return (
    <Panel
      title="History"
      minHeight={expectsLine(seen, hasRecord) ? LINE_PX : SENTENCE_PX}
      note={line === null ? undefined : madeOf(seen, line.madeOf, record)}
      state={stateOf(seen, line !== null, record)}
    >
      {line !== null && <StepTimeline {...line} />}
      <ChangesOfLists changes={listChanges(record)} />
      {asked.error !== null && (
        <FailureNote
          failure={describeFailure(asked.error, asked.errorUpdatedAt)}
          retry={() => void asked.refetch()}
        />
      )}
    </Panel>
  );
}

/** The note below the line. A missing record is added to it, as a second note would push down the content below. */
const madeOf = (seen: CheckSeen, words: string, record: ReputationHistory | null): string =>
  record === null && seen.enrichment?.degraded?.includes('timeline') === true
    ? `${words} The record of past days could not be read in time.`
    : words;

function stateOf(seen: CheckSeen, hasLine: boolean, record: ReputationHistory | null): PanelState {
  if (hasLine) return { kind: 'ready' };
  if (!seen.isOver) return { kind: 'loading', what: 'Reading the record.' };
  return { kind: 'empty', why: noHistorySentence(seen, record) };
}
