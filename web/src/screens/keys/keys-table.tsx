import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import { Moment } from '../../ui/moment.tsx';
import css from './keys.module.css';
import type { OpenDialog } from './keys-page.tsx';
import { type Key, mayRotate, nameOf, openedWords, usedFromWords } from './keys-words.ts';

type TableProps = {
  readonly keys: readonly Key[];
  readonly mayWrite: boolean;
  readonly open: (dialog: OpenDialog) => void;
};

export function KeysTable(props: TableProps) {
  return (
    <table className={css.table} aria-label="Keys">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">May be used from</th>
          <th scope="col">Opened</th>
          {props.mayWrite && (
            <th scope="col">
              <span className="visually-hidden">Change</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {props.keys.map((key) => (
          <KeyRow key={key.id} of={key} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ of, keys, mayWrite, open }: TableProps & { of: Key }) {
  const name = nameOf(of);
  return (
    <tr>
      <th scope="row" className={css.name}>
        <InertText>{name}</InertText>
        <p className={css.half}>
          <code>{of.apiKey}</code>
        </p>
        <Marks of={of} keys={keys} />
      </th>
      <td>
        <span className={css.narrow}>Created </span>
        <Moment at={of.createdAt} />
      </td>
      <td>
        <span className={css.narrow}>Last used </span>
        {of.lastUsedAt === null ? 'never' : <Moment at={of.lastUsedAt} />}
      </td>
      <td className={css.from}>
        <span className={css.narrow}>From </span>
        {usedFromWords(of)}
      </td>
      <td>
        <span className={css.narrow}>Opened </span>
        {openedWords(keys, of)}
      </td>
      {mayWrite && (
        <td className={css.change}>
          {mayRotate(keys, of.id) && (
            <Button aria-label={`Rotate ${name}`} onClick={() => open({ kind: 'rotate', key: of })}>
              Rotate
            </Button>
          )}
          <Button aria-label={`Revoke ${name}`} onClick={() => open({ kind: 'revoke', key: of })}>
            Revoke
          </Button>
        </td>
      )}
    </tr>
  );
}

/** Sentences about a key that is special, such as one that opened this session. */
function Marks({ of, keys }: { of: Key; keys: readonly Key[] }) {
  const parent = keys.find(({ id }) => id === of.parentId);
  return (
    <div className="note">
      {of.opensThisSession && <p>You are signed in with this key.</p>}
      {!of.canSignIn && <p>For programs: it cannot sign in.</p>}
      {parent !== undefined && (
        <p>
          Made with <InertText>{nameOf(parent)}</InertText>, and revoked with it.
        </p>
      )}
      {!mayRotate(keys, of.id) && <p>To rotate it, sign in with its own pair.</p>}
      {of.previousSecretValidUntil !== null && Date.parse(of.previousSecretValidUntil) > Date.now() && (
        <p>
          The old secret ends <Moment at={of.previousSecretValidUntil} />.
        </p>
      )}
    </div>
  );
}
