import { lazy, Suspense } from 'react';
import { persistently } from '../service/persistently.ts';
import { Button } from '../ui/button.tsx';
import { InertText } from '../ui/inert-text.tsx';
import { exact } from '../words/numbers.ts';
import css from './box-note.module.css';
import layer from './layer.module.css';
import type { Way } from './reading.ts';
import type { Box } from './use-box.ts';

// Files are rare, so the hashing code loads with the first one.
const FileOffer = lazy(async () => ({
  default: (await persistently(() => import('./file-offer.tsx'))).FileOffer,
}));
const SeveralFiles = lazy(async () => ({
  default: (await persistently(() => import('./several-files.tsx'))).SeveralFiles,
}));

export function BoxNote({ box, isDropping }: { box: Box; isDropping: boolean }) {
  const content = isDropping ? (
    <p>Drop one file or several. They are hashed here; only the hashes leave.</p>
  ) : box.files.length > 0 ? (
    <Suspense fallback={<p>Opening the file.</p>}>{filesNote(box)}</Suspense>
  ) : (
    contentOf(box)
  );
  return content === null ? null : <div className={layer.under}>{content}</div>;
}

function filesNote(box: Box): React.ReactNode {
  const [only, ...others] = box.files;
  if (only === undefined || others.length > 0) return <SeveralFiles files={box.files} box={box} />;
  return <FileOffer file={only} box={box} />;
}

function contentOf({ text, isWaiting, isSettled, reading, way }: Box): React.ReactNode {
  if (isWaiting) return <p>Reading the input.</p>;
  if (reading === null || reading.kind === 'nothing') return null;
  if (reading.kind === 'unreadable') return isSettled ? <p>{reading.sentence}</p> : null;
  if (reading.kind === 'one') return wayNote(reading.ways[way] ?? reading.ways[0]);
  return (
    <div className={css.offer}>
      <Button type="submit" look="primary" keys="Enter">
        Check {exact(reading.count)} in bulk
      </Button>
      <span className="note">{lineWords(text)}</span>
    </div>
  );
}

function wayNote({ readAs, unicode, answer }: Way): React.ReactNode {
  if (answer.kind === 'words') return <p>{answer.sentence}</p>;
  if (readAs === null && unicode === null) return null;
  return (
    <p>
      Read as <InertText mono>{answer.target.value}</InertText>
      {unicode !== null && (
        <>
          , which readers see as <InertText mono>{unicode}</InertText>
        </>
      )}
    </p>
  );
}

function lineWords(text: string): string {
  const lines = text.trim().split('\n').length;
  return lines === 1 ? 'Found in what you entered.' : `Found in ${exact(lines)} lines of text.`;
}
