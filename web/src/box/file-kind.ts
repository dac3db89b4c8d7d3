export const FILE_BYTES_MAX = 2 * 1_073_741_824;
const TEXT_NAME = /\.(?:txt|csv|log)$/i;

/** Read as a text file only by its name: that is a guess, so the choice is the reader's. */
export const isTextName = (name: string): boolean => TEXT_NAME.test(name);

/** Why a file is not hashed here, as one sentence; null when it can be. */
export function refusalOfFile(size: number): string | null {
  if (size === 0)
    return 'This file is empty. All empty files have the same hash, so a verdict on it would say nothing about yours.';
  if (size > FILE_BYTES_MAX)
    return 'This file is larger than 2 GB. Make its hash with sha256sum or Get-FileHash and paste it here.';
  return null;
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const STEP = 1_000;

/** "1.2 GB", "640 kB". */
export function sizeWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const amount = bytes / STEP ** power;
  return `${amount >= 100 || power === 0 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
