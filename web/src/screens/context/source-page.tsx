import { useTitle } from '../../frame/title.ts';
import { useShownPlace } from '../../navigation/shown-place.ts';
import { assay } from '../../service/client.ts';
import { InertText } from '../../ui/inert-text.tsx';
import css from './context.module.css';
import { ContextShell } from './context-shell.tsx';
import { freshnessSentence, sourceSentence } from './context-words.ts';
import { CountsPanels, Families } from './counts-panels.tsx';
import { MembersSection } from './members-section.tsx';
import { type Ask, useContextPage } from './use-context.ts';

const WANTED =
  'This page takes the id of a source, as the sources of a check and the freshness page write it: /source/urlhaus.';

export default function SourcePage() {
  const { params } = useShownPlace();
  const id = params.id ?? '';
  const of = ['source', id];
  const ask: Ask<Awaited<ReturnType<typeof askSource>>> = (cursor, signal) => askSource(id, cursor, signal);
  const asked = useContextPage(of, ask);
  const title = asked.data?.source.name ?? id;
  useTitle(title, 'Source');
  return (
    <ContextShell title={title} kind="Source" asked={asked} wanted={WANTED}>
      {(page) => (
        <>
          <p className={css.lead}>
            <InertText>{sourceSentence(page.source)}</InertText> {freshnessSentence(page.source)}
          </p>
          {page.source.attribution !== null && (
            <p className="note">
              <InertText>{page.source.attribution}</InertText>
            </p>
          )}
          <CountsPanels subject="source" counts={page.counts} />
          <Families counts={page.counts} title="Families that its values belong to" />
          <MembersSection subject="source" of={of} members={page} ask={ask} />
        </>
      )}
    </ContextShell>
  );
}

const askSource = (id: string, cursor: string | undefined, signal: AbortSignal) =>
  assay.call('getThreatIntelSourceId', { path: { id }, query: { cursor } }, { signal });
