import { Fragment } from 'react';
import css from './inert-text.module.css';
import { visibleParts } from './visible-parts.ts';

/**
 * A string written by a third party: an indicator, a pulse name, a registrar. It is never a link or markup; characters
 * that would reorder or hide text are shown by their code point. The text stays selectable.
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
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one string have no other identity.
          <Breakable key={index} text={part.text} />
        ) : (
          part.text
        ),
      )}
    </bdi>
  );
}

/** Breaks a long name after dots, slashes and query signs, and inside a word only where nothing else fits. */
const Breakable = ({ text }: { text: string }) =>
  text.split(/(?<=[./?&=])(?=[^./?&=])/).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one string have no other identity.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
