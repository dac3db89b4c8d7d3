import { Link } from '../../../navigation/link.tsx';
import { InertText } from '../../../ui/inert-text.tsx';
import { sourcePath } from '../paths.ts';
import type { SilentSource } from './check-seen.ts';
import { ReliabilityBar } from './reliability-bar.tsx';
import css from './sources-section.module.css';

/** Sources that could list the indicator and do not. No mark and no colour: silence does not prove it harmless. */
export function SilentSources({ sources }: { sources: readonly SilentSource[] }) {
  return (
    <table className={css.table}>
      <caption className="visually-hidden">Sources that do not list it</caption>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col" className={css.wide}>
            Category
          </th>
          <th scope="col">Reliability</th>
          <th scope="col">Data</th>
        </tr>
      </thead>
      <tbody>
        {sources.map(({ id, name, category, confidenceBase, fresh }) => (
          <tr key={id}>
            <th scope="row" className={css.name}>
              <Link to={sourcePath(id)}>
                <InertText>{name}</InertText>
              </Link>
            </th>
            <td className={css.wide}>
              <InertText>{category}</InertText>
            </td>
            <td>
              <ReliabilityBar reliability={confidenceBase / 100} />
            </td>
            <td className={css.data}>{fresh ? 'on time' : 'late'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
