import type { RevealedApiKey } from '@assay/sdk';
import { useState } from 'react';
import { RevealLayer } from '../../secrets/reveal-layer.tsx';
import { useProvenSending } from '../../secrets/use-proven-sending.tsx';
import { assay } from '../../service/client.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import css from './dialogs.module.css';
import { type Key, nameOf, OVERLAPS, rotateSentences } from './keys-words.ts';

const [GENTLE] = OVERLAPS;

export function RotateKeyDialog({
  of,
  close,
  changed,
}: {
  of: Key;
  close: () => void;
  /** `endsSession`: the session of this page has ended with the old secret. */
  changed: (endsSession: boolean) => void;
}) {
  const [overlapSeconds, setOverlapSeconds] = useState(GENTLE?.seconds ?? 0);
  const [revealed, setRevealed] = useState<RevealedApiKey | null>(null);
  const { failure, isSending, send, proof } = useProvenSending();
  const submit = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send(async () => {
      setRevealed(
        await assay.call('postUserKeysIdRotate', { path: { id: of.id }, body: { overlapSeconds } }),
      );
      changed(overlapSeconds === 0 && of.opensThisSession);
    });
  };
  return (
    <RevealLayer title="Rotate the key" name={nameOf(of)} revealed={revealed} close={close}>
      <form className={css.body} onSubmit={submit}>
        <p className={css.sentence}>
          <b>
            <InertText>{nameOf(of)}</InertText>
          </b>{' '}
          keeps its name and its public half, and gets a new secret.
        </p>
        <fieldset className={css.choices}>
          <legend className={css.label}>The old secret ends</legend>
          {OVERLAPS.map(({ seconds, title }) => (
            <label key={seconds} className={css.check}>
              <input
                type="radio"
                name="overlap"
                checked={seconds === overlapSeconds}
                onChange={() => setOverlapSeconds(seconds)}
              />
              {title}
            </label>
          ))}
        </fieldset>
        <ul className={css.sentences} aria-live="polite">
          {rotateSentences(of, overlapSeconds).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {failure !== null && <FailureNote failure={failure} />}
        {proof}
        <p className={css.buttons}>
          <Button type="submit" look="primary" disabled={isSending}>
            {isSending ? 'Rotating' : 'Rotate'}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </p>
      </form>
    </RevealLayer>
  );
}
