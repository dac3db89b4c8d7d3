import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { queryPanel } from '../../ui/query-panel.ts';
import table from '../../ui/stacked-table.module.css';
import css from './organization.module.css';
import { aboutWords, actionWords, actorWords } from './organization-words.ts';
import { useAudit, useMembers } from './use-organization.ts';

export function AuditPanel() {
  const asked = useAudit();
  const people = useMembers().data?.members ?? [];
  const entries = asked.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Panel
      title="Audit trail"
      note="What was done in the organization, newest first. It cannot be changed."
      state={queryPanel(asked, 'Asking for the audit trail.')}
      minHeight={200}
    >
      <table className={table.table} aria-label="Audit trail">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">About</th>
            <th scope="col">From</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <th scope="row" title={entry.action}>
                {actionWords(entry.action)}
              </th>
              <td>
                <span className={table.narrow}>By </span>
                <InertText>{actorWords(entry, people)}</InertText>
              </td>
              <td>
                <span className={table.narrow}>About </span>
                <InertText>{aboutWords(entry, people)}</InertText>
              </td>
              <td>
                <span className={table.narrow}>From </span>
                {entry.address === '' ? 'this machine' : <InertText mono>{entry.address}</InertText>}
              </td>
              <td>
                <Moment at={entry.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked.hasNextPage && (
        <p className={css.actions}>
          <Button disabled={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
            {asked.isFetchingNextPage ? 'Asking' : 'Show older lines'}
          </Button>
        </p>
      )}
    </Panel>
  );
}
