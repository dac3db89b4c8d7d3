import { useEffect, useState } from 'react';
import { announce } from '../frame/announce.tsx';
import { rememberFileName } from '../service/file-names.ts';
import { Button } from '../ui/button.tsx';
import { InertText } from '../ui/inert-text.tsx';
import { exact, plural } from '../words/numbers.ts';
import css from './box-note.module.css';
import { FileGroup, HashProgress } from './file-group.tsx';
import { isTextName, sizeWords } from './file-kind.ts';
import { type HashedFile, hashFiles } from './hash-files.ts';
import { IndicatorLink } from './indicator-link.tsx';
import type { Box } from './use-box.ts';

export function SeveralFiles({ files, box }: { files: readonly File[]; box: Box }) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const { share, hashed } = useHashes(files);
  return (
    <FileGroup label="The files" box={box}>
      <p>
        {plural(files.length, 'file')} <span className="note">{sizeWords(bytes)}</span>
      </p>
      {hashed === null ? (
        <HashProgress of={plural(files.length, 'file')} share={share} box={box} />
      ) : (
        <Found hashed={hashed} box={box} />
      )}
      <p className="note">
        Only the hashes leave: your files are not uploaded, and their names stay in this tab.
        {files.some(({ name }) => isTextName(name)) &&
          ' To find indicators inside text files, drop them on Bulk triage.'}
      </p>
    </FileGroup>
  );
}

function useHashes(files: readonly File[]) {
  const [share, setShare] = useState(0);
  const [hashed, setHashed] = useState<readonly HashedFile[] | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    setShare(0);
    setHashed(null);
    hashFiles(files, { signal: leaving.signal, onProgress: setShare }).then(
      (all) => {
        for (const { hash, name } of all) if (hash !== null) rememberFileName(hash, name);
        setHashed(all);
        announce(`${plural(hashesOf(all).length, 'hash', 'hashes')} ready to be checked.`);
      },
      // The only rejection is the abort on unmount.
      () => undefined,
    );
    return () => leaving.abort();
  }, [files]);
  return { share, hashed };
}

function Found({ hashed, box }: { hashed: readonly HashedFile[]; box: Box }) {
  const hashes = hashesOf(hashed);
  return (
    <>
      <ul className={css.files}>
        {hashed.map(({ name, hash, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list does not change.
          <li key={index}>
            <InertText>{name}</InertText>{' '}
            {hash === null ? (
              <span className="note">{problem}</span>
            ) : (
              <IndicatorLink target={{ type: 'hash', value: hash }} onClickCapture={box.clear}>
                <InertText mono>{hash}</InertText>
              </IndicatorLink>
            )}
          </li>
        ))}
      </ul>
      <div className={css.offer}>
        {hashes.length > 0 && (
          <Button look="primary" onClick={() => box.openBulk(hashes.join('\n'))}>
            Check {exact(hashes.length)} in bulk
          </Button>
        )}
        <Button look="plain" onClick={box.clear}>
          Close
        </Button>
      </div>
    </>
  );
}

/** Files with the same content share one hash, which is checked once. */
const hashesOf = (hashed: readonly HashedFile[]): readonly string[] => [
  ...new Set(hashed.flatMap(({ hash }) => (hash === null ? [] : [hash]))),
];
