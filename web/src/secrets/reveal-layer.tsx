import { useCallback, useEffect, useRef, useState } from 'react';
import { announce } from '../frame/announce.tsx';
import { pageConfig } from '../service/page-config.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { InertText } from '../ui/inert-text.tsx';
import { Layer } from '../ui/layer.tsx';
import css from './reveal-layer.module.css';
import { type KeyPair, type SecretForm, secretForms } from './secret-forms.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

/**
 * A dialog whose form ends with a secret that is shown once. The secret lives in the state of the dialog that opened
 * this layer and is gone with it; from then on closing asks first.
 */
export function RevealLayer({
  title,
  name,
  revealed,
  close,
  children,
}: {
  title: string;
  /** Of the key. */
  name: string;
  revealed: KeyPair | null;
  close: () => void;
  children?: React.ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  const ask = useCallback(() => setAsking(true), []);
  useLeaveGuard(revealed !== null, ask);
  if (revealed === null)
    return (
      <Layer title={title} close={close}>
        {children}
      </Layer>
    );
  return (
    <Layer title="Copy the secret now" close={ask}>
      {isAsking ? (
        <Leaving stay={() => setAsking(false)} leave={close} />
      ) : (
        <Secret name={name} revealed={revealed} done={ask} />
      )}
    </Layer>
  );
}

function Leaving({ stay, leave }: { stay: () => void; leave: () => void }) {
  const first = useFocusHere<HTMLParagraphElement>();
  return (
    <div className={css.body}>
      <p ref={first} tabIndex={-1} className={css.sentence}>
        <b>You will not see this secret again.</b> It is stored nowhere, neither here nor at the service. If
        it is lost, rotate the key.
      </p>
      <p className={css.buttons}>
        <Button look="primary" onClick={stay}>
          Back to the secret
        </Button>
        <Button onClick={leave}>I have stored it, close</Button>
      </p>
    </div>
  );
}

function Secret({ name, revealed, done }: { name: string; revealed: KeyPair; done: () => void }) {
  const first = useFocusHere<HTMLParagraphElement>();
  return (
    <div className={css.body}>
      <p ref={first} tabIndex={-1} className={css.sentence}>
        The secret of <InertText>{name}</InertText> is shown this once. Copy it in the form that your program
        takes.
      </p>
      <ul className={css.forms}>
        {secretForms(revealed, pageConfig.apiUrl).map((form) => (
          <Form key={form.title} form={form} />
        ))}
      </ul>
      <p className={css.buttons}>
        <Button onClick={done}>Done</Button>
      </p>
    </div>
  );
}

function Form({ form: { title, text, note } }: { form: SecretForm }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    const isCopied = await copyText(text);
    setSaid(isCopied ? 'Copied' : 'Not allowed here: select the text and copy it');
    if (isCopied) announce(`Copied: ${title}`);
  };
  return (
    <li className={css.form}>
      <div className={css.formHead}>
        <h3 className={css.formTitle}>{title}</h3>
        {said !== '' && <span className="note">{said}</span>}
        <Button aria-label={`Copy: ${title}`} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {/* A text node: an attribute or a field's value would be easier to leave behind. */}
      <pre className={css.secret}>{text.trimEnd()}</pre>
      <p className="note">{note}</p>
    </li>
  );
}

/** The control that had the focus is gone when the content of a dialog changes. */
function useFocusHere<T extends HTMLElement>(): React.RefObject<T | null> {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
