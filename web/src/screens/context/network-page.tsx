import type { RangePage } from '@assay/sdk';
import { useEffect, useState } from 'react';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { asnPath, networkPath, sourcePath, type Target } from '../../box/permalink.ts';
import { loadReader } from '../../box/reader.ts';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { assay } from '../../service/client.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import css from './context.module.css';
import { ContextShell, Wanted } from './context-shell.tsx';
import { rangeSentence } from './context-words.ts';
import { CountsPanels, Families } from './counts-panels.tsx';
import { MembersSection } from './members-section.tsx';
import { type AskedRange, askedRange } from './range-target.ts';
import { type Ask, useContextPage } from './use-context.ts';

const WANTED =
  'This page takes a range of addresses: /network/185.220.101.0/24, or /network/2a0e:97c0::/48. IPv4 from /16, IPv6 from /32.';

export default function NetworkPage() {
  const { params } = useShownPlace();
  const raw = params.rest ?? '';
  const asked = useRange(raw);
  useTitle(asked?.kind === 'range' ? asked.cidr : raw, 'Range');
  if (asked?.kind === 'range') return <Range cidr={asked.cidr} />;
  return (
    <article className={css.page}>
      <p className={css.kind}>Range of addresses</p>
      <h1 className={`page-title ${css.title}`}>
        <InertText mono>{raw}</InertText>
      </h1>
      {asked === null && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {asked?.kind === 'words' && (
        <Wanted said={asked.sentence} wanted={WANTED} state={asked.isLocal ? 'local' : 'unreadable'} />
      )}
      {asked?.kind === 'single' && <Single target={asked.target} />}
    </article>
  );
}

const Single = ({ target }: { target: Target }) => (
  <p className={css.lead} data-state="unreadable">
    This is a single value, not a range.{' '}
    <IndicatorLink target={target}>
      Open the page of <InertText mono>{target.value}</InertText>
    </IndicatorLink>
  </p>
);

/** Reads the range with the box's parser, so that a private one is answered without a request. Null while it loads. */
function useRange(raw: string): AskedRange | null {
  const [read, setRead] = useState<{ readonly raw: string; readonly asked: AskedRange } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const settle = (asked: AskedRange) => isCurrent && setRead({ raw, asked });
    loadReader().then(
      (reader) => settle(askedRange(reader(raw))),
      // When the parser cannot be loaded, the service decides whether this is a range.
      () => settle({ kind: 'range', cidr: raw }),
    );
    return () => {
      isCurrent = false;
    };
  }, [raw]);
  return read?.raw === raw ? read.asked : null;
}

function Range({ cidr }: { cidr: string }) {
  const of = ['network', cidr];
  const ask: Ask<RangePage> = (cursor, signal) =>
    assay.call('getThreatIntelNetwork', { query: { cidr, cursor } }, { signal });
  const asked = useContextPage(of, ask);
  return (
    <ContextShell title={cidr} kind="Range of addresses" asked={asked} wanted={WANTED} isMono>
      {(page) => (
        <>
          <p className={css.lead}>
            <InertText>{rangeSentence(page)}</InertText>
          </p>
          <CountsPanels subject="range" counts={page.counts} />
          <Owners networks={page.networks} />
          <Around ranges={page.ranges} isCut={page.rangesTruncated} />
          <Families counts={page.counts} />
          <MembersSection subject="range" of={of} members={page} ask={ask} />
        </>
      )}
    </ContextShell>
  );
}

const OWNERS_MAX = 12;

function Owners({ networks }: { networks: RangePage['networks'] }) {
  if (networks.length === 0) return null;
  const byAsn = [...new Map(networks.map((network) => [network.asn, network])).values()];
  return (
    <Panel title="Who announces it">
      <ul className={css.onward}>
        {byAsn.slice(0, OWNERS_MAX).map(({ asn, name, prefix }) => (
          <li key={asn}>
            <Link to={asnPath(asn)}>AS{asn}</Link> <InertText>{name}</InertText>{' '}
            {prefix !== null && <span className="note">{prefix}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const RELATIONS: Readonly<Record<RangePage['ranges'][number]['relation'], string>> = {
  covers: 'around it',
  equals: 'this range',
  inside: 'inside it',
};
const AROUND_MAX = 24;

function Around({ ranges, isCut }: { ranges: RangePage['ranges']; isCut: boolean }) {
  if (ranges.length === 0) return null;
  return (
    <Panel title="Listed ranges" note="Ranges that lists name, around this one and inside it.">
      <ul className={css.onward}>
        {ranges.slice(0, AROUND_MAX).map(({ cidr, relation, sources }) => (
          <li key={`${relation} ${cidr}`}>
            {relation === 'equals' ? (
              <InertText mono>{cidr}</InertText>
            ) : (
              <Link to={networkPath(cidr)}>
                <InertText mono>{cidr}</InertText>
              </Link>
            )}{' '}
            <span className="note">{RELATIONS[relation]}, by </span>
            {sources.map(({ id, name }, nth) => (
              <span key={id}>
                {nth > 0 && ', '}
                <Link to={sourcePath(id)}>
                  <InertText>{name}</InertText>
                </Link>
              </span>
            ))}
          </li>
        ))}
      </ul>
      {(isCut || ranges.length > AROUND_MAX) && (
        <p className="note">More ranges are listed than are shown.</p>
      )}
    </Panel>
  );
}
