import { ContactLink } from '../../box/contact-link.tsx';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { familyPath } from '../../box/permalink.ts';
import { Link } from '../../navigation/link.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import { exact } from '../../words/numbers.ts';
import css from './context.module.css';
import type { MemberRow } from './member-rows.ts';

export function MemberTable({ rows, caption }: { rows: readonly MemberRow[]; caption: string }) {
  return (
    <table className={css.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">Verdict</th>
          <th scope="col">Family</th>
          <th scope="col">Category</th>
          <th scope="col">When</th>
          <th scope="col" className="number">
            Lists
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </tbody>
    </table>
  );
}

const Row = ({ row }: { row: MemberRow }) => (
  <tr>
    <th scope="row">
      <Value row={row} />
    </th>
    <td>
      {row.verdict === null ? <span className="note">not judged</span> : <VerdictMark {...row.verdict} />}
      {row.score !== null && <span className={css.score}> {row.score}</span>}
    </td>
    <td>
      {row.families.map((family, nth) => (
        <span key={family}>
          {nth > 0 && ', '}
          <Link to={familyPath(family)}>
            <InertText>{family}</InertText>
          </Link>
        </span>
      ))}
    </td>
    <td>
      <InertText>{row.categories.join(', ')}</InertText>
    </td>
    <td>
      {row.when.word} {row.when.at !== null && <Moment at={row.when.at} form="date" />}
    </td>
    <td className="number">
      {row.sources === null ? '' : exact(row.sources)}
      <span className={css.narrow}> {row.sources === 1 ? 'list' : 'lists'}</span>
    </td>
  </tr>
);

function Value({ row: { value, leads } }: { row: MemberRow }) {
  const text = <InertText mono>{value}</InertText>;
  if (leads.kind === 'indicator') return <IndicatorLink target={leads.target}>{text}</IndicatorLink>;
  if (leads.kind === 'contact') return <ContactLink contact={leads.contact}>{text}</ContactLink>;
  return <Link to={leads.path}>{text}</Link>;
}
