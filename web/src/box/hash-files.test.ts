import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashFiles, UNREADABLE } from './hash-files.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const going = () => new AbortController().signal;

/** Fails to read, like a folder or a file changed after it was chosen. */
class BrokenFile extends File {
  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.reject(new DOMException('', 'NotFoundError'));
  }
}

test('each file has its own hash; an empty or unreadable one says why and does not stop the others', async () => {
  const files = [
    new File(['first'], 'a.exe'),
    new File([], 'empty.bin'),
    new BrokenFile(['x'], 'folder'),
    new File(['last'], 'z.dll'),
  ];
  expect(await hashFiles(files, { signal: going(), onProgress: () => undefined })).toEqual([
    { name: 'a.exe', hash: sha256('first'), problem: null },
    { name: 'empty.bin', hash: null, problem: expect.stringContaining('This file is empty.') as string },
    { name: 'folder', hash: null, problem: UNREADABLE },
    { name: 'z.dll', hash: sha256('last'), problem: null },
  ]);
});

test('progress is of all the bytes, only grows, and ends with the last file', async () => {
  const shares: number[] = [];
  const files = [new File(['1'], 'a'), new File(['23456789'], 'b'), new File(['0'], 'c')];
  await hashFiles(files, { signal: going(), onProgress: (share) => shares.push(share) });
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[0]).toBeCloseTo(0.1);
  expect(shares.at(-1)).toBe(1);
});

test('an abort ends the run', async () => {
  const controller = new AbortController();
  const files = [new File(['1'], 'a'), new File(['2'], 'b')];
  const told = hashFiles(files, { signal: controller.signal, onProgress: () => controller.abort() });
  await expect(told).rejects.toThrow('aborted');
});
