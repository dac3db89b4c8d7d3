import { useEffect, useState } from 'react';
import { announce } from '../frame/announce.tsx';
import { rememberFileName } from '../service/file-names.ts';
import { Button } from '../ui/button.tsx';
import { InertText } from '../ui/inert-text.tsx';
import css from './box-note.module.css';
import { BULK_TEXT_CHARS_MAX } from './bulk-text.ts';
import { FileGroup, HashProgress } from './file-group.tsx';
import { isTextName, refusalOfFile, sizeWords } from './file-kind.ts';
import { hashFile } from './hash-file.ts';
import { UNREADABLE } from './hash-files.ts';
import type { Box } from './use-box.ts';

export function FileOffer({ file, box }: { file: File; box: Box }) {
  const [isHashing, setHashing] = useState(!isTextName(file.name));
  const refusal = refusalOfFile(file.size);
  return (
    <FileGroup label="The file" box={box}>
      <p>
        <InertText>{file.name}</InertText> <span className="note">{sizeWords(file.size)}</span>
      </p>
      {refusal !== null ? (
        <Sentence text={refusal} close={box.clear} />
      ) : isHashing ? (
        <Hashing key={`${file.name} ${file.size} ${file.lastModified}`} file={file} box={box} />
      ) : (
        <TextChoice file={file} box={box} hash={() => setHashing(true)} />
      )}
    </FileGroup>
  );
}

function Hashing({ file, box }: { file: File; box: Box }) {
  const [share, setShare] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const { settle, clear } = box;
  useEffect(() => {
    const leaving = new AbortController();
    hashFile(file, { signal: leaving.signal, onProgress: setShare }).then(
      (hash) => {
        rememberFileName(hash, file.name);
        return settle(hash, 0, { history: 'push', opensBulk: false });
      },
      () => {
        if (leaving.signal.aborted) return;
        setFailed(true);
        announce(UNREADABLE);
      },
    );
    return () => leaving.abort();
  }, [file, settle]);
  if (hasFailed) return <Sentence text={UNREADABLE} close={clear} />;
  return (
    <>
      <HashProgress of={file.name} share={share} box={box} />
      <p className="note">Only the hash leaves: your file is not uploaded.</p>
    </>
  );
}

function TextChoice({ file, box, hash }: { file: File; box: Box; hash: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const isTooLong = file.size > BULK_TEXT_CHARS_MAX;
  const extract = async () => {
    const text = await file.text().catch(() => null);
    if (text === null) setProblem(UNREADABLE);
    else box.openBulk(text);
  };
  if (problem !== null) return <Sentence text={problem} close={box.clear} />;
  return (
    <>
      <div className={css.offer}>
        <Button look="primary" onClick={extract} disabled={isTooLong}>
          Find indicators in it
        </Button>
        <Button onClick={hash}>Check the file itself</Button>
        <Button look="plain" onClick={box.clear}>
          Cancel
        </Button>
      </div>
      <p className="note">
        {isTooLong
          ? 'Larger than 4 MB: to find indicators in it, open Bulk triage and drop it there. '
          : 'Indicators go to Bulk triage, which asks before it checks. '}
        For the file itself only its hash leaves.
      </p>
    </>
  );
}

const Sentence = ({ text, close }: { text: string; close: () => void }) => (
  <p>
    {text}{' '}
    <Button look="plain" onClick={close}>
      Close
    </Button>
  </p>
);
