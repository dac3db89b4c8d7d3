import { type RefObject, useEffect, useState } from 'react';
import { type BoxRequest, listenToRequests } from './box-requests.ts';

type Taken = {
  readonly onText: (text: string) => void;
  readonly onFiles: (files: FileList) => void;
  readonly onRequest: (request: BoxRequest) => void;
};

const WRITES = 'input, textarea, select, [contenteditable], [role="dialog"]';

export function usePageInput(
  form: RefObject<HTMLElement | null>,
  { takesPaste, takesDrops }: { readonly takesPaste: boolean; readonly takesDrops: boolean },
  { onText, onFiles, onRequest }: Taken,
): { readonly isDropping: boolean } {
  const [isDropping, setDropping] = useState(false);
  useEffect(() => listenToRequests(onRequest), [onRequest]);

  useEffect(() => {
    if (!takesPaste) return;
    const onPaste = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || isInside(event.target, WRITES)) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() === '') return;
      event.preventDefault();
      onText(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [takesPaste, onText]);

  useEffect(() => {
    const isOurs = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') === true &&
      (takesDrops || (event.target instanceof Node && form.current?.contains(event.target) === true));
    const onOver = (event: DragEvent): void => {
      const ours = isOurs(event);
      setDropping(ours);
      if (ours) event.preventDefault();
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDropping(false);
    };
    const onDrop = (event: DragEvent): void => {
      setDropping(false);
      if (!isOurs(event) || event.dataTransfer === null) return;
      event.preventDefault();
      onFiles(event.dataTransfer.files);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [form, takesDrops, onFiles]);

  return { isDropping };
}

const isInside = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;
