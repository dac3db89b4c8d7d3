import type { CommunityIntel, RelatedEntity } from '@assay/sdk';
import { IndicatorLink } from '../../../box/indicator-link.tsx';
import { InertText } from '../../../ui/inert-text.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { FoldingPanel } from '../../../ui/panel.tsx';
import { VerdictMark } from '../../../ui/verdict-mark.tsx';
import { plural } from '../../../words/numbers.ts';
import css from './context-panels.module.css';
import { FACETS, facetState, partOf } from './facet-state.ts';
import { type PanelProps, RESERVED_PX } from './fact-panels.tsx';
import { TITLES } from './panel-order.ts';
import { PassiveDnsTable } from './passive-dns-table.tsx';
import { relatedGroups, relatedWord } from './related-groups.ts';
import { useFacet } from './use-facet.ts';
import { useFirst } from './use-first.tsx';
import { vulnerabilityRows, vulnerabilitySentence } from './vulnerability-rows.ts';

export function VulnerabilitiesPanel(props: PanelProps) {
  const { value, state } = useFacet('vulnerabilities', props);
  const { first, more } = useFirst(value === null ? [] : vulnerabilityRows(value));
  return (
    <FoldingPanel
      title={TITLES.vulnerabilities}
      startsOpen={props.startsOpen}
      minHeight={RESERVED_PX}
      state={state}
    >
      {value !== null && (
        <>
          <p className="note">{vulnerabilitySentence(value)} The host itself was not touched.</p>
          <ul className={css.list}>
            {first.map(({ id, severity, score }) => (
              <li key={id} className={css.line}>
                <InertText mono>{id}</InertText>
                <span className={css.aside}>
                  {severity} {score}
                </span>
              </li>
            ))}
          </ul>
          {more}
          {value.ports.length > 0 && (
            <p className={css.sentence}>
              Open ports <span className="mono">{value.ports.join(', ')}</span>
            </p>
          )}
        </>
      )}
    </FoldingPanel>
  );
}

export function PulsesPanel({ startsOpen, ...input }: PanelProps) {
  const otx = partOf(input.seen, 'otx');
  const state = facetState(input.seen, 'otx', input);
  const { first, more } = useFirst(otx?.pulses ?? [], 4);
  return (
    <FoldingPanel
      title={TITLES.pulses}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && otx?.pulseCount === 0 ? { kind: 'empty', why: FACETS.otx.nothing } : state
      }
    >
      {otx !== null && (
        <>
          <p className="note">
            {plural(otx.pulseCount, 'report')} at <InertText>{otx.source}</InertText>. Anybody can write one.
          </p>
          <ul className={css.list}>
            {first.map((pulse) => (
              <Pulse key={pulse.id} pulse={pulse} />
            ))}
          </ul>
          {more}
        </>
      )}
    </FoldingPanel>
  );
}

function Pulse({ pulse }: { pulse: CommunityIntel['pulses'][number] }) {
  return (
    <li className={css.item}>
      <InertText>{pulse.name}</InertText>
      <span className={css.aside}>
        {pulse.authorUsername !== null && (
          <>
            {' '}
            by <InertText>{pulse.authorUsername}</InertText>
          </>
        )}
        {pulse.modified !== null && (
          <>
            , <Moment at={pulse.modified} />
          </>
        )}
      </span>
    </li>
  );
}

export function PassiveDnsPanel({ startsOpen, ...input }: PanelProps) {
  const otx = partOf(input.seen, 'otx');
  const passive = otx?.passiveDns;
  const state = facetState(input.seen, 'otx', input);
  return (
    <FoldingPanel
      title={TITLES['passive-dns']}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && (passive === undefined || passive.records.length === 0)
          ? { kind: 'empty', why: 'No passive DNS record is known for it.' }
          : state
      }
    >
      {passive !== undefined && (
        <>
          <p className="note">
            {plural(passive.totalRecords, 'record')} at <InertText>{passive.source}</InertText>
            {passive.moreCount > 0 && `, the newest ${passive.records.length} here`}.
          </p>
          <PassiveDnsTable records={passive.records} />
        </>
      )}
    </FoldingPanel>
  );
}

export function RelatedPanel({ startsOpen, ...input }: PanelProps) {
  const related = partOf(input.seen, 'relatedInfrastructure');
  const groups = related === null ? [] : relatedGroups(related);
  const state = facetState(input.seen, 'relatedInfrastructure', input);
  return (
    <FoldingPanel
      title={TITLES.related}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && groups.length === 0
          ? { kind: 'empty', why: FACETS.relatedInfrastructure.nothing }
          : state
      }
    >
      {related !== null && (
        <p className="note">
          <InertText>{related.riskAssessment.reason}</InertText> Its surroundings never change the score.
        </p>
      )}
      {groups.map(({ title, entities }) => (
        <Related key={title} title={title} entities={entities} />
      ))}
    </FoldingPanel>
  );
}

function Related({ title, entities }: { title: string; entities: readonly RelatedEntity[] }) {
  const { first, more } = useFirst(entities, 3);
  return (
    <>
      <h3 className={css.group}>
        {title} <span className={css.aside}>{entities.length}</span>
      </h3>
      <ul className={css.list}>
        {first.map((entity) => (
          <li key={entity.value} className={css.line}>
            <IndicatorLink target={entity}>
              <InertText mono>{entity.value}</InertText>
            </IndicatorLink>
            <VerdictMark {...relatedWord(entity)} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

export function TechnologiesPanel({ startsOpen, ...input }: PanelProps) {
  const technologies = partOf(input.seen, 'technologies') ?? [];
  const state = facetState(input.seen, 'technologies', input);
  const { first, more } = useFirst(technologies, 7);
  return (
    <FoldingPanel
      title={TITLES.technologies}
      startsOpen={startsOpen}
      minHeight={RESERVED_PX}
      state={
        state.kind === 'ready' && technologies.length === 0
          ? { kind: 'empty', why: FACETS.technologies.nothing }
          : state
      }
    >
      <ul className={css.list}>
        {first.map(({ name, version, category }) => (
          <li key={`${name} ${version}`} className={css.line}>
            <InertText>{version === null ? name : `${name} ${version}`}</InertText>
            <span className={css.aside}>
              <InertText>{category}</InertText>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </FoldingPanel>
  );
}
