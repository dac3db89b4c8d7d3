import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { InertText } from '../../ui/inert-text.tsx';
import css from './bulk.module.css';
import { decodeText } from './decode-text.ts';
import { SAMPLE_TEXT } from './sample-text.ts';
import { bulkText, bulkTextTyped, setBulkText, useTextState } from './text-store.ts';

const FILE_MIB_MAX = 8;
const FILE_BYTES_MAX = FILE_MIB_MAX * 1_048_576;
/** From this size the browser's own paste, which records undo steps, takes seconds. */
const LARGE_CHARS = 100_000;

/** The text area is uncontrolled, so that a megabyte is not copied with every key press. */
export function TextInput({ handed }: { handed: number }) {
  const { isEmpty } = useTextState();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const id = useId();
  const replace = (text: string): void => {
    if (field.current !== null) field.current.value = text;
    setBulkText(text);
  };
  const add = async (files: Iterable<File>): Promise<void> => {
    const { text, problems } = await readFiles([...files]);
    setRefused(problems);
    const before = field.current?.value ?? '';
    if (text !== '') replace(before.trim() === '' ? text : `${before.trimEnd()}\n${text}`);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that another page handed over replaces this one, and signing out empties it.
  useEffect(() => {
    if (field.current !== null && field.current.value !== bulkText()) field.current.value = bulkText();
  }, [handed, isEmpty]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button below does the same.
    <div
      className={css.input}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer.files.length > 0) void add(event.dataTransfer.files);
        else replace(event.dataTransfer.getData('text/plain'));
      }}
    >
      <label className={css.label} htmlFor={id}>
        Text to read
      </label>
      <textarea
        id={id}
        ref={field}
        className={css.text}
        defaultValue={bulkText()}
        placeholder="Paste a log, a report, a table or a list, or drop a file here"
        aria-describedby={`${id}-note`}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        wrap="off"
        onChange={({ currentTarget }) =>
          bulkTextTyped(() => currentTarget.value, currentTarget.textLength === 0)
        }
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          if (pasted.length < LARGE_CHARS) return;
          event.preventDefault();
          const { selectionStart, selectionEnd } = event.currentTarget;
          event.currentTarget.setRangeText(pasted, selectionStart, selectionEnd, 'end');
          setBulkText(event.currentTarget.value);
        }}
      />
      <div className={css.under}>
        <Button onClick={() => picker.current?.click()}>Choose a file</Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to read"
          accept=".txt,.csv,.json,.log,text/*,application/json"
          onChange={(event) => {
            void add(event.target.files ?? []);
            event.target.value = '';
          }}
        />
        {isEmpty ? (
          <Button onClick={() => replace(SAMPLE_TEXT)}>Try a sample</Button>
        ) : (
          <Button onClick={() => replace('')}>Clear</Button>
        )}
        <span id={`${id}-note`} className="note">
          Read in this browser. Only the indicators are sent, when you run.
        </span>
      </div>
      {refused.map((problem) => (
        <p key={problem} className={css.refused} role="alert">
          <InertText>{problem}</InertText>
        </p>
      ))}
    </div>
  );
}

async function readFiles(files: readonly File[]): Promise<{ text: string; problems: readonly string[] }> {
  const texts: string[] = [];
  const problems: string[] = [];
  for (const file of files) {
    if (file.size > FILE_BYTES_MAX) {
      problems.push(`${file.name} is larger than ${FILE_MIB_MAX} MiB. Split it and read the parts.`);
      continue;
    }
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    if (text === null) problems.push(`${file.name} is no text file. Export it as text, CSV or JSON.`);
    else texts.push(text);
  }
  return { text: texts.join('\n'), problems };
}
