import type { FamilyPage as Family } from '@assay/sdk';
import { sourcePath } from '../../box/permalink.ts';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { assay } from '../../service/client.ts';
import { InertText } from '../../ui/inert-text.tsx';
import { Panel } from '../../ui/panel.tsx';
import { plural } from '../../words/numbers.ts';
import css from './context.module.css';
import { ContextShell } from './context-shell.tsx';
import { familySentence } from './context-words.ts';
import { CountsPanels } from './counts-panels.tsx';
import { MembersSection } from './members-section.tsx';
import { type Ask, useContextPage } from './use-context.ts';

const WANTED =
  'This page takes the name of a malware family or tool in any spelling: /family/remcos. A new word of a list is found within five minutes.';

export default function FamilyPage() {
  const { params } = useShownPlace();
  const name = params.name ?? '';
  const of = ['family', name];
  const ask: Ask<Family> = (cursor, signal) =>
    assay.call('getThreatIntelFamilyName', { path: { name }, query: { cursor } }, { signal });
  const asked = useContextPage(of, ask);
  const title = asked.data?.family ?? name;
  useTitle(title, 'Family');
  return (
    <ContextShell title={title} kind="Malware family or tool" asked={asked} wanted={WANTED}>
      {(page) => (
        <>
          <p className={css.lead}>
            <InertText>{familySentence(page)}</InertText>
          </p>
          <CountsPanels subject="family" counts={page.counts} />
          <Sources sources={page.sources} />
          <MembersSection subject="family" of={of} members={page} ask={ask} />
        </>
      )}
    </ContextShell>
  );
}

const Sources = ({ sources }: { sources: Family['sources'] }) => (
  <Panel title="Sources that name it" note="The one with the most listings first.">
    <ul className={css.onward}>
      {sources.map(({ id, name, category, listings }) => (
        <li key={id}>
          <Link to={sourcePath(id)}>
            <InertText>{name}</InertText>
          </Link>{' '}
          <span className="note">
            {plural(listings, 'listing')}, <InertText>{category}</InertText>
          </span>
        </li>
      ))}
    </ul>
  </Panel>
);
