import { Fragment } from 'react';
import css from './inert-text.module.css';
import { visibleParts } from './visible-parts.ts';

/**
 * A string that somebody else wrote: an indicator, a pulse name, a registrar. Never a link, never markup; characters
 * that would reorder or hide it are shown by their number. It is selectable as it is.
 */
export function InertText({ children, mono = false }: { children: string; mono?: boolean }) {
  return (
    <bdi className={mono ? 'indicator' : css.text}>
      {visibleParts(children).map((part, index) =>
        part.isHidden ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one string have no other identity.
          <span key={index} className={css.hidden} title="A character that cannot be seen">
            {part.text}
          </span>
        ) : mono ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same.
          <Breakable key={index} text={part.text} />
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

/** A long name is broken behind its dots and strokes, and within a word only where there is no other way. */
const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[./?&=])(?=[^./?&=])/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one string have no other identity.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
