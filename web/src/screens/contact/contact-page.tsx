import { InvalidRequest } from '@assay/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Contact } from '../../box/contact-fragment.ts';
import { IndicatorLink } from '../../box/indicator-link.tsx';
import { CONTACT_PATH } from '../../box/open-lead.ts';
import { sourcePath } from '../../box/permalink.ts';
import { Waterfall } from '../../charts/waterfall.tsx';
import { type Action, useActions } from '../../frame/actions.ts';
import { announce } from '../../frame/announce.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { describeFailure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Panel } from '../../ui/panel.tsx';
import { VerdictMark } from '../../ui/verdict-mark.tsx';
import css from './contact.module.css';
import { CONTACT_WORDS, type ContactView, contactTicket, contactView } from './contact-words.ts';
import { keepForSignIn, useContact, useContactCheck } from './use-contact.ts';

export default function ContactPage() {
  const contact = useContact();
  // Keyed by the value, so that no state of one contact is kept for the next.
  if (contact !== null) return <Shown key={`${contact.type} ${contact.value}`} contact={contact} />;
  return <Nothing />;
}

function Nothing() {
  useTitle('Contact');
  return (
    <article className={css.page} data-state="empty">
      <h1 className={`page-title ${css.title}`}>No contact is given</h1>
      <p className={css.lead}>
        Type an e-mail address, a phone number with its country code, or a wallet into the box above. It is
        not written into paths, queries or the list of recent checks.
      </p>
    </article>
  );
}

function Shown({ contact }: { contact: Contact }) {
  const { session, data, error, isFetching, dataUpdatedAt, checkAgain } = useContactCheck(contact);
  const view = useMemo(() => (data === undefined ? null : contactView(data)), [data]);
  // The value is personal data, and titles are kept in the history of the browser.
  useTitle(CONTACT_WORDS[contact.type], view === null ? 'Contact' : view.word);
  return (
    <article className={css.page} aria-busy={isFetching}>
      <p className={css.kind}>{CONTACT_WORDS[contact.type]}</p>
      <h1 className={css.value}>
        <InertText mono>{contact.value}</InertText>
      </h1>
      {view === null && session === 'signed-out' && <SignInFirst contact={contact} />}
      {view === null && session !== 'signed-out' && error === null && (
        <div className={css.waiting} data-state="loading" aria-busy="true" />
      )}
      {view === null && error !== null && <NotAnswered error={error} retry={checkAgain} />}
      {view !== null && (
        <div data-state={error === null ? 'ready' : 'degraded'}>
          <p className={css.kind}>
            Checked <Moment at={new Date(dataUpdatedAt).toISOString()} />.{' '}
            {error !== null && 'The service has not answered since. '}
            <Button look="plain" disabled={isFetching} onClick={checkAgain}>
              Check again
            </Button>
          </p>
          <Verdict contact={contact} view={view} checkedMs={dataUpdatedAt} />
          <Facts contact={contact} view={view} />
        </div>
      )}
    </article>
  );
}

function SignInFirst({ contact }: { contact: Contact }) {
  useEffect(() => keepForSignIn(contact), [contact]);
  return (
    <p className={css.lead} data-state="signed-out">
      Contacts are checked for accounts; nothing was sent.{' '}
      <Link to="/sign-in" search={{ next: CONTACT_PATH }}>
        Sign in
      </Link>
    </p>
  );
}

function NotAnswered({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof InvalidRequest)
    return (
      <div className={css.lead} data-state="unreadable">
        <p>
          <InertText>{error.details[0]?.message ?? error.message}</InertText>
        </p>
        <p className="note">Correct it in the box above. Nothing was charged.</p>
      </div>
    );
  return (
    <div data-state="error">
      <FailureNote failure={describeFailure(error, Date.now())} retry={retry} />
    </div>
  );
}

function Verdict({ contact, view, checkedMs }: { contact: Contact; view: ContactView; checkedMs: number }) {
  return (
    <section className={css.verdict} aria-label="Verdict">
      <div>
        <VerdictMark size="large" tone={view.tone} word={view.word} />
        {view.risk !== null && <p className={css.risk}>Risk {view.risk} of 100</p>}
        <ul className={css.why}>
          {view.reasons.map((reason) => (
            <li key={reason}>
              <InertText>{reason}</InertText>
            </li>
          ))}
        </ul>
        <p className={css.action}>
          <b>Do:</b> {view.action}
        </p>
        <CopyTicket text={contactTicket(contact, view, checkedMs)} />
      </div>
      <div>
        {view.score.factors.length === 0 ? (
          <>
            <p className="note">How the score adds up</p>
            <p className={css.lead}>
              There is nothing to add up: no source accuses it and none vouches for it.
            </p>
          </>
        ) : (
          <Waterfall score={view.score} sources={view.factorNames} tone={view.tone} />
        )}
      </div>
    </section>
  );
}

function CopyTicket({ text }: { text: string }) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  const latest = useRef(text);
  latest.current = text;
  const copy = useMemo(
    () => async () => {
      const isCopied = await copyText(latest.current);
      setSaid(isCopied ? 'copied' : 'failed');
      if (isCopied) announce('Copied: ticket');
    },
    [],
  );
  useActions(
    useMemo<readonly Action[]>(
      () => [
        { id: 'copy-ticket', title: 'Copy: ticket', group: 'This page', keys: 'y', run: () => void copy() },
      ],
      [copy],
    ),
  );
  return (
    <div className={css.copy}>
      <Button look="primary" keys="y" aria-keyshortcuts="y" onClick={() => void copy()}>
        Copy for a ticket
      </Button>
      {said === 'copied' && <span className="note">Copied</span>}
      {said === 'failed' && (
        <label>
          This browser does not let the page copy. Select the text and copy it yourself.
          <textarea readOnly rows={5} value={text} onFocus={({ target }) => target.select()} />
        </label>
      )}
    </div>
  );
}

function Facts({ contact, view }: { contact: Contact; view: ContactView }) {
  const domain = contact.type === 'email' ? contact.value.slice(contact.value.lastIndexOf('@') + 1) : null;
  return (
    <>
      <Panel title="What is known of it">
        <dl className={`facts ${css.facts}`}>
          {domain !== null && (
            <>
              <dt>Domain</dt>
              <dd>
                <IndicatorLink target={{ type: 'domain', value: domain }}>
                  <InertText mono>{domain}</InertText>
                </IndicatorLink>
              </dd>
            </>
          )}
          {view.facts.map(({ label, says }) => (
            <div key={label} className={css.fact}>
              <dt>{label}</dt>
              <dd>
                <InertText>{says}</InertText>
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
      {view.sources.length > 0 && (
        <Panel title="Lists that name it">
          <ul className={css.lists}>
            {view.sources.map(({ id, name, category }) => (
              <li key={id}>
                <Link to={sourcePath(id)}>
                  <InertText>{name}</InertText>
                </Link>{' '}
                <span className="note">
                  <InertText>{category}</InertText>
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
