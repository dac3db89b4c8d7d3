import { VerdictShape } from '../ui/verdict-mark.tsx';
import { visibleText } from '../ui/visible-parts.ts';
import { type AgreementLane, type AgreementSource, agreementSentence, toLanes } from './agreement-dots.ts';
import css from './agreement-strip.module.css';
import { ChartTable } from './chart-table.tsx';

const BESIDE_PX = 13;
/** Dots at the same place spread towards the side that has room. */
const beside = (reliability: number): number => (reliability > 0.6 ? -BESIDE_PX : BESIDE_PX);

/**
 * The sources that list an indicator, by class and reliability. `silent` counts the sources that could list it and do
 * not.
 */
export function AgreementStrip({
  sources,
  silent,
}: {
  sources: readonly AgreementSource[];
  silent: number | null;
}) {
  const lanes = toLanes(sources);
  return (
    <figure className={css.figure}>
      <figcaption className="note">Sources that list it, by reliability</figcaption>
      <div className={css.plot} role="img" aria-label={agreementSentence(lanes, silent)}>
        {lanes.map((lane) => (
          <Lane key={lane.id} lane={lane} />
        ))}
        {silent !== null && (
          <div className={css.lane}>
            <span className={css.label}>Silent</span>
            <span className={css.silent}>{silent}, which weighs nothing either way</span>
          </div>
        )}
        <div className={css.axis}>
          <span>0</span>
          <span className={css.title}>reliability</span>
          <span>1</span>
        </div>
      </div>
      <ChartTable
        caption="Sources by reliability"
        columns={['Class', 'Source', 'Reliability']}
        rows={lanes.flatMap(({ label, dots }) =>
          dots.map(({ name }) => [label, name, reliabilityOf(sources, name)]),
        )}
      />
    </figure>
  );
}

const reliabilityOf = (sources: readonly AgreementSource[], name: string): string =>
  (sources.find((source) => source.name === name)?.reliability ?? 0).toFixed(2);

function Lane({ lane: { label, dots } }: { lane: AgreementLane }) {
  return (
    <div className={css.lane}>
      <span className={css.label}>{label}</span>
      <span className={css.track}>
        {dots.map(({ name, reliability, tone, nth }) => (
          <span
            key={name}
            className={css.dot}
            title={visibleText(`${name}, ${reliability.toFixed(2)}`)}
            style={{ left: `calc(${reliability * 100}% + ${nth * beside(reliability)}px)` }}
          >
            <VerdictShape tone={tone} px={11} />
          </span>
        ))}
      </span>
    </div>
  );
}
