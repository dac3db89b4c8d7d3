import { visibleText } from '../ui/visible-parts.ts';
import { exact } from '../words/numbers.ts';
import css from './chart-table.module.css';

export function ChartTable({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}) {
  return (
    <details className={css.twin}>
      <summary className={css.summary}>Show as table</summary>
      <div className={css.scroll}>
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} scope="col" className={isNumeric(rows, index) ? 'number' : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a chart have no identity and do not move.
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={columns[column]} className={typeof cell === 'number' ? 'number' : css.cell}>
                    {typeof cell === 'number' ? exact(cell) : visibleText(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const isNumeric = (rows: readonly (readonly (string | number)[])[], column: number): boolean =>
  rows.some((row) => typeof row[column] === 'number');
