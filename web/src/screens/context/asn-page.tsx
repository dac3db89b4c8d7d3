import { networkPath, sourcePath } from '../../box/permalink.ts';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { assay } from '../../service/client.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { exact, plural } from '../../words/numbers.ts';
import css from './context.module.css';
import { ContextShell, Wanted } from './context-shell.tsx';
import { asnOf, asnSentence, listedAsnSentence } from './context-words.ts';
import { CountsPanels, Families } from './counts-panels.tsx';
import { MembersSection } from './members-section.tsx';
import { useContextPage } from './use-context.ts';

const WANTED = 'This page takes the number of an autonomous system: /asn/13335 or /asn/AS13335.';
const RANGES_MAX = 24;

export default function AsnPage() {
  const { params } = useShownPlace();
  const raw = params.number ?? '';
  const asn = asnOf(raw);
  useTitle(asn === null ? 'Network' : `AS${asn}`);
  if (asn !== null) return <Asn asn={asn} />;
  return (
    <article className={css.page}>
      <h1 className={`page-title ${css.title}`}>
        <InertText mono>{raw}</InertText>
      </h1>
      <Wanted said="This is not the number of an autonomous system." wanted={WANTED} state="unreadable" />
    </article>
  );
}

const ask = (asn: number) => (cursor: string | undefined, signal: AbortSignal) =>
  assay.call('getThreatIntelAsn', { query: { asn: String(asn), members: 'true', cursor } }, { signal });

function Asn({ asn }: { asn: number }) {
  const of = ['asn', String(asn)];
  const asked = useContextPage(of, ask(asn));
  return (
    <ContextShell title={`AS${asn}`} kind="Autonomous system" asked={asked} wanted={WANTED} isMono>
      {(system) => {
        const { members } = system;
        const listed = listedAsnSentence(system);
        return (
          <>
            <p className={css.lead}>
              <InertText>{asnSentence(system)}</InertText>
            </p>
            {listed !== null && (
              <p className={css.lead}>
                {listed} {system.list !== null && <Link to={sourcePath(system.list)}>Open that list</Link>}
              </p>
            )}
            {members !== undefined && (
              <>
                <CountsPanels subject="network" counts={members.counts} />
                <Ranges ranges={members.ranges} />
                <Families counts={members.counts} />
                <MembersSection
                  subject="network"
                  of={of}
                  members={members}
                  ask={async (cursor, signal) => (await ask(asn)(cursor, signal)).members ?? members}
                />
              </>
            )}
          </>
        );
      }}
    </ContextShell>
  );
}

function Ranges({ ranges }: { ranges: readonly { readonly cidr: string; readonly listed: number }[] }) {
  return (
    <Panel
      title="Its ranges"
      note="Those with the most listed addresses come first."
      {...(ranges.length === 0 && {
        state: { kind: 'empty', why: 'The table of networks knows no range that it announces.' },
      })}
    >
      <ul className={css.onward}>
        {ranges.slice(0, RANGES_MAX).map(({ cidr, listed }) => (
          <li key={cidr}>
            <Link to={networkPath(cidr)}>
              <InertText mono>{cidr}</InertText>
            </Link>{' '}
            <span className="note">{listed === 0 ? 'none listed' : `${exact(listed)} listed`}</span>
          </li>
        ))}
      </ul>
      {ranges.length > RANGES_MAX && (
        <p className="note">And {plural(ranges.length - RANGES_MAX, 'range')} more.</p>
      )}
    </Panel>
  );
}
