import type { WriteStream } from 'node:tty';
import type { Clock } from '#platform/clock.ts';
import { HOUR_S } from '#platform/time-units.ts';
import { count } from './table.ts';

/** The progress of a long import. Bytes are those of the files on disk; the total of rows is only known at the end. */
export type ProgressState = {
  readonly rows: number;
  readonly bytesDone: number;
  /** 0 when unknown; then there is no bar and no remaining time. */
  readonly bytesTotal: number;
  readonly elapsedMs: number;
  readonly label: string;
};

export type ProgressStyle = { readonly columns: number; readonly hasColor: boolean };

const REDRAW_EVERY_MS = 200;
const LINE_EVERY_MS = 10_000;
const BAR_CHARS_MAX = 30;
const BAR_CHARS_MIN = 10;
const LABEL_CHARS_MAX = 32;
const COLUMNS_DEFAULT = 80;
const GREEN = '\u001b[32m';
const PLAIN = '\u001b[39m';
const CLEAR_LINE = '\r\u001b[2K';

/** One line that never wraps: parts that do not fit are left out, the least important first. */
export function renderBar(state: ProgressState, { columns, hasColor }: ProgressStyle): string {
  // The last column stays free, because some terminals wrap after writing it.
  const room = Math.max(0, columns - 1);
  const share = shareOf(state);
  const label = state.label.slice(0, LABEL_CHARS_MAX);
  const percent = share === null ? '' : `${Math.floor(share * 100)} %`.padStart(5);
  const full = [percent, `${count(state.rows)} rows`, speed(state), remaining(state, share), label];
  for (let kept = full.length; kept > 0; kept -= 1) {
    const words = full
      .slice(0, kept)
      .filter((part) => part !== '')
      .join('  ');
    const barRoom = Math.min(BAR_CHARS_MAX, room - words.length - 2);
    if (share !== null && barRoom >= BAR_CHARS_MIN) return `${bar(share, barRoom, hasColor)}  ${words}`;
    if (words.length <= room && (share === null || kept <= 2)) return words;
  }
  return percent.trim().slice(0, room);
}

export function renderLine(state: ProgressState): string {
  const share = shareOf(state);
  const parts = [
    share === null ? '' : `${Math.floor(share * 100)} %`,
    `${count(state.rows)} rows`,
    speed(state),
    remaining(state, share),
    state.label,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function bar(share: number, chars: number, hasColor: boolean): string {
  const filled = Math.min(chars, Math.floor(share * chars));
  const done = '█'.repeat(filled);
  return (hasColor ? `${GREEN}${done}${PLAIN}` : done) + '─'.repeat(chars - filled);
}

const shareOf = ({ bytesDone, bytesTotal }: ProgressState): number | null =>
  bytesTotal <= 0 ? null : Math.min(1, Math.max(0, bytesDone / bytesTotal));

/** Rows a second; empty in the first half second, when it would be the speed of filling one buffer. */
const speed = ({ rows, elapsedMs }: ProgressState): string =>
  elapsedMs < 500 ? '' : `${count(Math.round(rows / (elapsedMs / 1_000)))} rows/s`;

function remaining({ elapsedMs }: ProgressState, share: number | null): string {
  if (share === null || share < 0.01 || share >= 1 || elapsedMs < 500) return '';
  return `ETA ${duration((elapsedMs * (1 - share)) / share)}`;
}

/** `0:09`, `12:30`, `1:02:03`. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / HOUR_S), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export type Progress = {
  readonly update: (state: Partial<Omit<ProgressState, 'elapsedMs'>>) => void;
  readonly note: (line: string) => void;
  readonly stop: () => void;
};

type Stream = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'hasColors'>>;

/** On a terminal a bar redrawn in place; elsewhere a line every ten seconds, so that a short import prints nothing. */
export function showProgress(
  { clock }: { readonly clock: Clock },
  stream: Stream = process.stderr,
): Progress {
  const startMs = clock.monotonic();
  const isTerminal = stream.isTTY === true;
  // Respects NO_COLOR and TERM=dumb.
  const hasColor = isTerminal && stream.hasColors?.() === true;
  let state = { rows: 0, bytesDone: 0, bytesTotal: 0, label: '' };
  let drawn = 0;
  const now = (): ProgressState => ({ ...state, elapsedMs: clock.monotonic() - startMs });
  const clear = () => {
    if (drawn > 0) stream.write(hasColor ? CLEAR_LINE : `\r${' '.repeat(drawn)}\r`);
    drawn = 0;
  };
  const draw = () => {
    const columns = stream.columns ?? COLUMNS_DEFAULT;
    const text = renderBar(now(), { columns, hasColor });
    clear();
    stream.write(text);
    drawn = Math.min(text.length, columns - 1);
  };
  const timer = isTerminal
    ? setInterval(draw, REDRAW_EVERY_MS)
    : setInterval(() => stream.write(`${renderLine(now())}\n`), LINE_EVERY_MS);
  return {
    update: (change) => {
      state = { ...state, ...change };
    },
    note: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    stop: () => {
      clearInterval(timer);
      clear();
    },
  };
}
