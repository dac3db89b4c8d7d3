import { useState } from 'react';
import { announce } from '../frame/announce.tsx';
import { pageConfig } from '../service/page-config.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { InertText } from '../ui/inert-text.tsx';
import { Layer } from '../ui/layer.tsx';
import css from './reveal-layer.module.css';
import { type KeyPair, type SecretForm, secretForms } from './secret-forms.ts';
import { ShownOnceLayer } from './shown-once-layer.tsx';

/**
 * A dialog whose form ends with a secret that is shown once. Only the state of the dialog that opened this layer holds
 * the secret. Once it is shown, closing asks first.
 */
export function RevealLayer({
  title,
  name,
  revealed,
  close,
  children,
  after,
}: {
  title: string;
  /** Of the key. */
  name: string;
  revealed: KeyPair | null;
  close: () => void;
  children?: React.ReactNode;
  /** Shown below the secret. */
  after?: React.ReactNode;
}) {
  if (revealed === null)
    return (
      <Layer title={title} close={close}>
        {children}
      </Layer>
    );
  return (
    <ShownOnceLayer
      title="Copy the secret now"
      lead={
        <>
          The secret of <InertText>{name}</InertText> is shown this once. Copy it in the form that your
          program takes.
        </>
      }
      lost={
        <>
          <b>You will not see this secret again.</b> It is stored nowhere, neither here nor at the service. If
          it is lost, rotate the key.
        </>
      }
      back="Back to the secret"
      close={close}
    >
      <ul className={css.forms}>
        {secretForms(revealed, pageConfig.apiUrl).map((form) => (
          <Form key={form.title} form={form} />
        ))}
      </ul>
      {after}
    </ShownOnceLayer>
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
