import type { SsoSettings } from '@assay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../frame/announce.tsx';
import { useTitle } from '../../frame/title.ts';
import { Link } from '../../navigation/link.tsx';
import { useProvenSending } from '../../secrets/use-proven-sending.tsx';
import { assay } from '../../service/client.ts';
import { describeFailure } from '../../service/failure.ts';
import { SESSION_KEY, useSession } from '../../service/session.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { fieldOf, typedIn } from '../../ui/field-of.ts';
import css from './settings-sso.module.css';
import { nextStep } from './sso-words.ts';

const QUERY_KEY = [...SESSION_KEY, 'sso'] as const;
type Connection = NonNullable<SsoSettings['connection']>;

export default function SettingsSsoPage() {
  useTitle('Single sign-on');
  const session = useSession();
  return (
    <section className={css.page}>
      <h1 className="page-title">Single sign-on</h1>
      {session.state === 'loading' && <div className={css.waiting} data-state="loading" aria-busy="true" />}
      {session.state === 'signed-out' && (
        <p data-state="empty">
          <Link to="/sign-in" search={{ next: '/settings/sso' }}>
            Sign in
          </Link>{' '}
          to your organization to set up single sign-on.
        </p>
      )}
      {session.state === 'signed-in' && <Settings key={session.account.id} orgId={session.account.id} />}
    </section>
  );
}

function Settings({ orgId }: { orgId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => assay.call('getApiOrganizationSso', {}, { signal }),
  });
  if (data === undefined)
    return error === null ? (
      <div className={css.waiting} data-state="loading" aria-busy="true" />
    ) : (
      <div data-state="error">
        <FailureNote failure={describeFailure(error, Date.now())} retry={() => void refetch()} />
      </div>
    );
  const { connection } = data;
  return (
    <div data-state={connection === null ? 'empty' : 'ready'}>
      <p className={css.lead}>{nextStep(connection)}</p>
      <ol className={css.steps}>
        <li>
          <h2>Register this service with your identity provider</h2>
          <Copied label="Redirect URI" text={connection?.callbackUrl ?? callbackHere()} />
          <Copied label="Scopes" text="openid email" />
        </li>
        <li>
          <h2>Save what it gave you</h2>
          <SettingsForm connection={connection} orgId={orgId} />
        </li>
        {connection !== null && (
          <li>
            <h2>Prove the domain with a TXT record</h2>
            <Copied label="Name" text={connection.domainProof.name} />
            <Copied label="Text" text={connection.domainProof.value} />
            <p className="note">
              Keep the record: it is looked up every day. Enabling looks it up at once; a new record takes
              some minutes.
            </p>
          </li>
        )}
      </ol>
    </div>
  );
}

const callbackHere = (): string => `${location.origin}/api/auth/sso/callback`;

const Copied = ({ label, text }: { label: string; text: string }) => (
  <p className={css.copied}>
    <span className={css.label}>{label}</span>
    <code>{text}</code>
    <Button
      aria-label={`Copy the ${label.toLowerCase()}`}
      onClick={() => void copyText(text).then((done) => announce(done ? `${label} copied.` : 'Not copied.'))}
    >
      Copy
    </Button>
  </p>
);

function SettingsForm({ connection, orgId }: { connection: Connection | null; orgId: string }) {
  const { failure, isSending, send, proof } = useProvenSending();
  const client = useQueryClient();
  const save = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const secret = typedIn(fields, 'clientSecret');
    void send(async () => {
      const body = {
        emailDomain: fieldOf(fields, 'emailDomain'),
        issuerUrl: fieldOf(fields, 'issuerUrl'),
        clientId: fieldOf(fields, 'clientId'),
        ...(secret !== '' && { clientSecret: secret }),
        enabled: fields.has('enabled'),
        enforceSso: fields.has('enforceSso'),
      };
      client.setQueryData(QUERY_KEY, await assay.call('putApiOrganizationSso', { body }));
      announce('The settings are saved.');
    });
  };
  const remove = () =>
    void send(async () => {
      await assay.call('deleteApiOrganizationSso');
      client.setQueryData(QUERY_KEY, { connection: null });
      announce('Single sign-on is removed.');
    });
  const isProven = connection?.domainProof.provenAt != null;
  const hasWorked = connection?.lastSignInAt != null;
  return (
    // The key makes a new form when the saved settings change, so that its fields start from the saved values.
    <form key={JSON.stringify(connection)} onSubmit={save} className={css.form}>
      <Field
        name="emailDomain"
        label="Domain of your addresses"
        value={connection?.emailDomain}
        hint="example.com"
      />
      <Field name="issuerUrl" label="Issuer" value={connection?.issuerUrl} hint="https://idp.example.com" />
      <Field name="clientId" label="Client id" value={connection?.clientId} />
      <label className={css.label} htmlFor="sso-clientSecret">
        Client secret
      </label>
      <input
        id="sso-clientSecret"
        name="clientSecret"
        type="password"
        className={css.field}
        autoComplete="off"
        maxLength={1_024}
        placeholder={connection?.hasClientSecret === true ? 'Stored. Type a new one to replace it.' : ''}
      />
      <Check name="enabled" isOn={connection?.enabled === true} label="Enabled">
        {isProven ? 'The domain is proven.' : 'Possible once the TXT record is there.'}
      </Check>
      <Check name="enforceSso" isOn={connection?.enforceSso === true} isOff={!hasWorked} label="Enforced">
        {hasWorked
          ? 'People of the domain sign in with it alone. Owners may still come in with a password and a second factor, or a passkey, and every owner is told.'
          : 'Possible after one sign-in with it.'}
      </Check>
      {failure !== null && <FailureNote failure={failure} />}
      {proof}
      <p className={css.actions}>
        <Button type="submit" look="primary" disabled={isSending}>
          {isSending ? 'Saving' : 'Save'}
        </Button>
        {connection?.enabled === true && (
          <a href={`/api/auth/sso/start?orgId=${encodeURIComponent(orgId)}`}>Sign in with it</a>
        )}
        {connection !== null && (
          <Button disabled={isSending} onClick={remove}>
            Remove single sign-on
          </Button>
        )}
      </p>
    </form>
  );
}

const Field = ({
  name,
  label,
  value,
  hint,
}: {
  name: string;
  label: string;
  value: string | undefined;
  hint?: string;
}) => (
  <>
    <label className={css.label} htmlFor={`sso-${name}`}>
      {label}
    </label>
    <input
      id={`sso-${name}`}
      name={name}
      className={css.field}
      defaultValue={value}
      placeholder={hint}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={512}
      required
    />
  </>
);

const Check = ({
  name,
  label,
  isOn,
  isOff = false,
  children,
}: {
  name: string;
  label: string;
  isOn: boolean;
  isOff?: boolean;
  children: React.ReactNode;
}) => (
  <label className={css.check}>
    <input type="checkbox" name={name} defaultChecked={isOn} disabled={isOff} />
    <span>
      {label} <span className="note">{children}</span>
    </span>
  </label>
);
