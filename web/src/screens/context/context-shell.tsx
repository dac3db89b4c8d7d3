import { InvalidRequest, NotFound } from '@assay/sdk';
import { Link } from '../../navigation/link.tsx';
import { usePlace } from '../../navigation/place.ts';
import { describeFailure } from '../../service/failure.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './context.module.css';
import type { AskedPage } from './use-context.ts';

/** A context page in every state: signed out, loading, failed or unreadable; `children` is drawn when data is here. */
export function ContextShell<T>({
  title,
  kind,
  asked,
  wanted,
  isMono = false,
  children,
}: {
  title: string;
  /** What the title names: "Source", "Malware family or tool". */
  kind: string;
  asked: AskedPage<T>;
  /** The values that the page's address may hold, shown when it holds another. */
  wanted: string;
  isMono?: boolean;
  children: (data: T) => React.ReactNode;
}) {
  return (
    <article className={css.page}>
      <p className={css.kind}>{kind}</p>
      <h1 className={`page-title ${css.title}`}>
        <InertText mono={isMono}>{title}</InertText>
      </h1>
      <Content asked={asked} wanted={wanted}>
        {children}
      </Content>
    </article>
  );
}

function Content<T>({
  asked: { session, data, error, askAgain, dataUpdatedAt },
  wanted,
  children,
}: {
  asked: AskedPage<T>;
  wanted: string;
  children: (data: T) => React.ReactNode;
}) {
  if (data !== undefined)
    return (
      <div data-state={error === null ? 'ready' : 'degraded'}>
        {error !== null && (
          <p className={css.old}>
            This is from <Moment at={new Date(dataUpdatedAt).toISOString()} />; the service has not answered
            since.{' '}
            <Button look="plain" onClick={askAgain}>
              Ask again
            </Button>
          </p>
        )}
        {children(data)}
        <p className="note">
          This page, and each further hundred of its values, costs one check; the same again within 24 hours
          costs nothing.
        </p>
      </div>
    );
  if (session === 'signed-out') return <SignInFirst />;
  if (error instanceof NotFound || error instanceof InvalidRequest)
    return (
      <Wanted
        said={saidOf(error)}
        wanted={wanted}
        state={error instanceof NotFound ? 'empty' : 'unreadable'}
      />
    );
  if (error !== null)
    return (
      <div data-state="error">
        <FailureNote failure={describeFailure(error, Date.now())} retry={askAgain} />
      </div>
    );
  return <div className={css.waiting} data-state="loading" aria-busy="true" />;
}

const saidOf = ({ details, message }: InvalidRequest): string => details[0]?.message ?? message;

/** Says what is wrong with the value in the page's address, and which values are possible. */
export const Wanted = ({
  said,
  wanted,
  state,
}: {
  said: string;
  wanted: string;
  state: 'empty' | 'unreadable' | 'local';
}) => (
  <div className={css.lead} data-state={state}>
    <p>
      <InertText>{said}</InertText>
    </p>
    <p className="note">{wanted}</p>
  </div>
);

function SignInFirst() {
  const { path } = usePlace();
  return (
    <p className={css.lead} data-state="signed-out">
      This page is for accounts: it names what lists hold, and costs one check a day.{' '}
      <Link to="/sign-in" search={{ next: path }}>
        Sign in
      </Link>
    </p>
  );
}
