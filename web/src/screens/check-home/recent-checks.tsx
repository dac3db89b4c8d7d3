import { IndicatorLink } from '../../box/indicator-link.tsx';
import { announce } from '../../frame/announce.tsx';
import { forgetChecks, type RecentCheck } from '../../service/recent.ts';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { type Tone, VerdictMark } from '../../ui/verdict-mark.tsx';
import css from './check-home.module.css';
import { type Example, examplesOf, noAccusedSentence } from './examples.ts';
import { useStats } from './use-stats.ts';

const TYPE_WORDS: Readonly<Record<RecentCheck['type'], string>> = {
  ip: 'IP address',
  domain: 'Domain',
  url: 'URL',
  hash: 'File hash',
};
const TONES: ReadonlySet<string> = new Set<Tone>([
  'malicious',
  'critical-risk',
  'high-risk',
  'suspicious',
  'reported',
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

export function Examples() {
  const { data, error } = useStats();
  const examples = examplesOf(data);
  const missing = noAccusedSentence(data);
  return (
    <section>
      <h2 className={css.section}>Recent checks</h2>
      <p className="note">None in this browser yet. To see what an answer looks like, take one of these.</p>
      <ul className={css.examples}>
        {examples.slice(0, 1).map((example) => (
          <ExampleRow key={example.target.value} example={example} />
        ))}
        {/* The accused address comes with the counts; its line is there before. */}
        {data === undefined && error === null && <li className={css.waiting} aria-busy="true" />}
        {missing !== null && (
          <li className={css.waiting}>
            <span className="note">{missing}</span>
          </li>
        )}
        {examples.slice(1).map((example) => (
          <ExampleRow key={example.target.value} example={example} />
        ))}
      </ul>
    </section>
  );
}

const ExampleRow = ({ example: { target, what, see } }: { example: Example }) => (
  <li>
    <IndicatorLink target={target}>
      <InertText mono>{target.value}</InertText>
    </IndicatorLink>
    <span className="note">
      {what}: {see}.
    </span>
  </li>
);
