import type { ReportSummary } from '@assay/sdk';
import { Link } from '../../navigation/link.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { ReportActions } from './report-actions.tsx';
import { typeWord, verdictOfReport } from './report-words.ts';
import css from './reports.module.css';

type TableProps = {
  readonly reports: readonly ReportSummary[];
  readonly mayWrite: boolean;
  readonly deleted: () => void;
};

export function ReportsTable({ reports, mayWrite, deleted }: TableProps) {
  return (
    <table className={css.table} aria-label="Saved reports">
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">Verdict then</th>
          <th scope="col" className="number">
            Score
          </th>
          <th scope="col">Saved</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <ReportRow key={report.id} report={report} mayWrite={mayWrite} deleted={deleted} />
        ))}
      </tbody>
    </table>
  );
}

function ReportRow({ report, ...rest }: Omit<TableProps, 'reports'> & { report: ReportSummary }) {
  const { tone, word } = verdictOfReport(report);
  return (
    <tr>
      <th scope="row" className={css.value}>
        <Link to={`/reports/${report.id}`}>
          <InertText mono>{report.entityValue}</InertText>
        </Link>
        <p className="note">{typeWord(report.entityType)}</p>
        {report.note !== null && (
          <p className="note">
            <InertText>{report.note}</InertText>
          </p>
        )}
      </th>
      <td>
        <VerdictMark tone={tone} word={word} />
      </td>
      <td className="number">
        <span className={css.narrow}>score </span>
        {report.riskScore ?? 'none'}
      </td>
      <td className={css.when}>
        <span className={css.narrow}>saved </span>
        <Moment at={report.createdAt} />
      </td>
      <td className={css.actions}>
        <ReportActions report={report} {...rest} />
      </td>
    </tr>
  );
}
