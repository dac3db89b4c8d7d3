import type { Report } from '@assay/sdk';
import { useQuery } from '@tanstack/react-query';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { go } from '../../navigation/place.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { SESSION_KEY, useSession } from '../../service/session.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { ReportActions } from './report-actions.tsx';
import { factsOf, targetOf, typeWord, verdictOfReport } from './report-words.ts';
import css from './reports.module.css';
import { SignedOut } from './reports-page.tsx';

/** One saved check, as it was then. */
export default function ReportPage() {
  useTitle('Report');
  const session = useSession();
  const id = useShownPlace().params.id ?? '';
  return (
    <>
      <p className={css.back}>
        <Link to="/reports">All reports</Link>
      </p>
      {session.state === 'signed-in' ? (
        <Loaded id={id} mayWrite={session.role !== 'VIEWER'} />
      ) : (
        <>
          <h1 className={`page-title ${css.title}`}>Report</h1>
          {session.state === 'loading' ? (
            <div className={css.waiting} data-state="loading" aria-busy="true" />
          ) : (
            <SignedOut next={`/reports/${id}`} />
          )}
        </>
      )}
    </>
  );
}

function Loaded({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...SESSION_KEY, 'report', id],
    queryFn: ({ signal }) => assay.call('getReportsId', { path: { id } }, { signal }),
    // A saved report never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <Saved report={data} mayWrite={mayWrite} />;
  return (
    <div data-state={error === null ? 'loading' : 'error'} aria-busy={error === null} className={css.waiting}>
      <h1 className={`page-title ${css.title}`}>Report</h1>
      {error !== null && (
        <FailureNote failure={describeFailure(error, Date.now())} retry={() => void refetch()} />
      )}
    </div>
  );
}

function Saved({ report, mayWrite }: { report: Report; mayWrite: boolean }) {
  const { entityType, entityValue, riskScore, createdAt } = report;
  const { tone, word } = verdictOfReport(report);
  const target = targetOf(report);
  const { observedAt } = factsOf(report.result);
  useTitle(entityValue, word, 'Report');
  return (
    <article data-state="ready">
      <h1 className={css.entity}>
        <InertText mono>{entityValue}</InertText>
      </h1>
      <p className={css.lead}>
        {typeWord(entityType)}, saved <Moment at={createdAt} form="absolute" />
        {observedAt !== null && (
          <>
            , judged <Moment at={observedAt} form="absolute" />
          </>
        )}
        . This is the answer as it was then
        {target !== null && (
          <>
            ; <IndicatorLink target={target}>check it again</IndicatorLink> for the answer of today (costs one
            check)
          </>
        )}
        .
      </p>
      <section className={css.verdict} aria-label="Verdict then">
        <VerdictMark tone={tone} word={word} size="large" />
        <p>{riskScore === null ? 'The result had no score.' : `Score ${riskScore} of 100.`}</p>
      </section>
      <ReportActions report={report} mayWrite={mayWrite} deleted={() => go('/reports', { replace: true })} />
      <Facts report={report} />
    </article>
  );
}

function Facts({ report: { result, note, tags } }: { report: Report }) {
  const { reasons, sources } = factsOf(result);
  return (
    <>
      {note !== null && <Lines title="Note" lines={[note]} />}
      {tags.length > 0 && <Lines title="Tags" lines={tags} />}
      <Lines title="Why" lines={reasons} none="The result names no reasons." />
      <Lines title="Sources that listed it" lines={sources} none="The result names no sources." />
      <details className={css.raw}>
        <summary>The whole result</summary>
        <pre>
          <InertText>{JSON.stringify(result, null, 2)}</InertText>
        </pre>
      </details>
    </>
  );
}

function Lines({ title, lines, none }: { title: string; lines: readonly string[]; none?: string }) {
  return (
    <section>
      <h2 className={css.section}>{title}</h2>
      {lines.length === 0 ? (
        <p className="note">{none}</p>
      ) : (
        <ul className={css.lines}>
          {[...new Set(lines)].map((line) => (
            <li key={line}>
              <InertText>{line}</InertText>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
