import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashFile } from './hash-file.ts';

const EICAR = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';
const EICAR_SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
const signal = new AbortController().signal;

describe('the SHA-256 of a file', () => {
  test('is the same by the browser and, on a page without crypto.subtle, by steps', async () => {
    const file = new Blob([EICAR]);
    const options = { signal, onProgress: () => undefined };
    expect(await hashFile(file, options)).toBe(EICAR_SHA256);
    expect(await withoutSubtle(file, options)).toBe(EICAR_SHA256);
  });

  test('of several steps is right, and its progress only grows and ends at 1', async () => {
    const bytes = new Uint8Array(2_621_441).map((_, index) => index % 251);
    const shares: number[] = [];
    const hash = await withoutSubtle(new Blob([bytes]), {
      signal,
      onProgress: (share) => shares.push(share),
    });
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares).toHaveLength(3);
    expect(shares.at(-1)).toBe(1);
  });

  test('stops when it is aborted', async () => {
    const leaving = new AbortController();
    const steps: number[] = [];
    const hashing = withoutSubtle(new Blob([new Uint8Array(8_000_000)]), {
      signal: leaving.signal,
      onProgress: (share) => {
        steps.push(share);
        leaving.abort();
      },
    });
    await expect(hashing).rejects.toThrow('aborted');
    expect(steps).toHaveLength(1);
  });
});

/** As on plain HTTP pages, where `crypto.subtle` is absent. */
const withoutSubtle = (file: Blob, options: Parameters<typeof hashFile>[1]): Promise<string> =>
  hashFile(file, options, null);
