import { IndicatorLink } from '../../box/indicator-link.tsx';
import { announce } from '../../frame/announce.tsx';
import { pageConfig } from '../../service/page-config.ts';
import { forgetChecks, type RecentCheck } from '../../service/recent.ts';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { type Tone, VerdictMark } from '../../ui/verdict-mark.tsx';
import css from './check-home.module.css';
import { examplesOf } from './examples.ts';

const TYPE_WORDS: Readonly<Record<RecentCheck['type'], string>> = {
  ip: 'IP address',
  domain: 'Domain',
  url: 'URL',
  hash: 'File hash',
};
const TONES: ReadonlySet<string> = new Set<Tone>([
  'malicious',
  'suspicious',
  'unknown',
  'good',
  'infrastructure',
  'neutral',
]);
/** Storage may hold tones that an older or newer version wrote. */
const toneOf = (tone: string): Tone => (TONES.has(tone) ? (tone as Tone) : 'neutral');

export function RecentChecks({ checks }: { checks: readonly RecentCheck[] }) {
  const clear = () => {
    forgetChecks();
    announce('The recent checks of this browser are cleared.');
  };
  return (
    <section>
      <h2 className={css.section}>Recent checks</h2>
      <p className="note">
        Kept in this browser only, with the verdict of that time. Opening one checks it again.{' '}
        <Button look="plain" onClick={clear}>
          Clear
        </Button>
      </p>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">Indicator</th>
            <th scope="col">Type</th>
            <th scope="col">Verdict</th>
            <th scope="col">Checked</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ type, value, word, tone, at }) => (
            <tr key={`${type} ${value}`}>
              <td className={css.value}>
                <IndicatorLink target={{ type, value }}>
                  <InertText mono>{value}</InertText>
                </IndicatorLink>
              </td>
              <td>{TYPE_WORDS[type]}</td>
              <td>
                <VerdictMark tone={toneOf(tone)} word={word} />
              </td>
              <td>
                <Moment at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export const Examples = () => (
  <section>
    <h2 className={css.section}>Recent checks</h2>
    <p className="note">None in this browser yet. To see what an answer looks like, take one of these.</p>
    <ul className={css.examples}>
      {examplesOf(pageConfig.demo).map(({ target, what }) => (
        <li key={target.value}>
          <IndicatorLink target={target}>
            <InertText mono>{target.value}</InertText>
          </IndicatorLink>{' '}
          <span className="note">{what}</span>
        </li>
      ))}
    </ul>
  </section>
);
