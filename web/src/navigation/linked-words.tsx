import { Link } from './link.tsx';
import type { LinkedWord } from './linked-word.ts';

export const LinkedWords = ({ words }: { words: readonly LinkedWord[] }) =>
  words.map(({ text, to, title }) =>
    to === undefined ? (
      <span key={text} title={title}>
        {text}
      </span>
    ) : (
      <Link key={text} to={to} title={title}>
        {text}
      </Link>
    ),
  );
