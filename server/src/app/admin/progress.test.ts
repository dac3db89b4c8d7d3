import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { duration, type ProgressState, renderBar, renderLine, showProgress } from './progress.ts';

const HALF: ProgressState = {
  rows: 1_234_567,
  bytesDone: 50,
  bytesTotal: 100,
  elapsedMs: 20_000,
  label: 'maltrail-malware',
};

describe('the bar', () => {
  test('shows the share done, rows, speed, remaining time and label', () => {
    expect(renderBar(HALF, { columns: 120, hasColor: false })).toBe(
      `${'█'.repeat(15)}${'─'.repeat(15)}   50 %  1,234,567 rows  61,728 rows/s  ETA 0:20  maltrail-malware`,
    );
  });

  test('has no escape sequence without colour, and the same text with it', () => {
    const plain = renderBar(HALF, { columns: 100, hasColor: false });
    const coloured = renderBar(HALF, { columns: 100, hasColor: true });
    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[32m');
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  test('on a narrow terminal leaves out the name first, then the rest, and never wraps', () => {
    expect(renderBar(HALF, { columns: 72, hasColor: false })).not.toContain('maltrail');
    expect(renderBar(HALF, { columns: 72, hasColor: false })).toContain('ETA 0:20');
    expect(renderBar(HALF, { columns: 28, hasColor: false })).toBe(' 50 %  1,234,567 rows');
    expect(renderBar(HALF, { columns: 8, hasColor: false })).toBe(' 50 %');
  });

  test('fits in every width', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 250 }),
        fc.nat(10_000_000),
        fc.nat(1_000),
        fc.nat(1_000),
        fc.nat(100_000_000),
        fc.string({ maxLength: 60 }),
        fc.boolean(),
        (columns, rows, bytesDone, bytesTotal, elapsedMs, label, hasColor) => {
          const text = renderBar({ rows, bytesDone, bytesTotal, elapsedMs, label }, { columns, hasColor });
          expect(stripVTControlCharacters(text).length).toBeLessThan(Math.max(columns, 1));
        },
      ),
    );
  });

  test('without a known size there is no bar and no remaining time', () => {
    const unknown = { ...HALF, bytesTotal: 0 };
    expect(renderBar(unknown, { columns: 80, hasColor: true })).toBe(
      '1,234,567 rows  61,728 rows/s  maltrail-malware',
    );
    expect(renderLine(unknown)).toBe('1,234,567 rows, 61,728 rows/s, maltrail-malware');
  });
});

test('a line for a log has the same facts', () => {
  expect(renderLine(HALF)).toBe('50 %, 1,234,567 rows, 61,728 rows/s, ETA 0:20, maltrail-malware');
});

test('durations read like a clock', () => {
  expect([400, 9_000, 750_000, 3_723_000].map(duration)).toEqual(['0:01', '0:09', '12:30', '1:02:03']);
});

describe('output', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const clock = { now: () => 0, monotonic: () => performance.now() };
  const stream = (more: object) => {
    const written: string[] = [];
    return { written, write: (text: string | Uint8Array) => written.push(String(text)) > 0, ...more };
  };

  test('to a pipe: nothing for a short import, then a line every ten seconds', () => {
    const pipe = stream({});
    const progress = showProgress({ clock }, pipe);
    progress.update({ rows: 5, label: 'a' });
    vi.advanceTimersByTime(9_900);
    expect(pipe.written).toEqual([]);
    vi.advanceTimersByTime(10_200);
    expect(pipe.written).toHaveLength(2);
    expect(pipe.written[0]).toMatch(/^5 rows.*\n$/);
    progress.stop();
    vi.advanceTimersByTime(60_000);
    expect(pipe.written).toHaveLength(2);
  });

  test('to a terminal without colours: redrawn in place with spaces, removed at the end', () => {
    const terminal = stream({ isTTY: true, columns: 40, hasColors: () => false });
    const progress = showProgress({ clock }, terminal);
    progress.update({ rows: 5, bytesDone: 1, bytesTotal: 2 });
    vi.advanceTimersByTime(400);
    progress.note('kept');
    progress.stop();
    const text = terminal.written.join('');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('kept\n');
    expect(text.endsWith('kept\n')).toBe(true);
  });
});
