export const FILE_BYTES_MAX = 2 * 1_073_741_824;
const TEXT_NAME = /\.(?:txt|csv|log)$/i;

/** The name is only a guess that the file is text, so the reader chooses what to do with it. */
export const isTextName = (name: string): boolean => TEXT_NAME.test(name);

export function refusalOfFile(size: number): string | null {
  if (size === 0)
    return 'This file is empty. All empty files have the same hash, so a verdict on it would say nothing about yours.';
  if (size > FILE_BYTES_MAX)
    return 'This file is larger than 2 GB. Make its hash with sha256sum or Get-FileHash and paste it here.';
  return null;
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const STEP = 1_000;

export function sizeWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const amount = bytes / STEP ** power;
  return `${amount >= 100 || power === 0 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`;
}
