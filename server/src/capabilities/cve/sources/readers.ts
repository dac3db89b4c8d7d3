import type { CveReading, CveRefusalReason } from '#domain/cve/index.ts';

/** Makes a reader of text from a reader of parsed JSON. */
export const ofJson =
  (read: (document: string, json: unknown) => CveReading) =>
  (document: string, text: string): CveReading => {
    const reason: CveRefusalReason = 'not-json';
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return { told: [], refused: [{ document, reason }] };
    }
    return read(document, json);
  };

export const anyFile = (): boolean => true;
export const endingWith =
  (...endings: readonly string[]) =>
  (path: string): boolean =>
    endings.some((ending) => path.endsWith(ending));

/** `CVE-2024-1234.json`, and no index beside the records. */
export const isCveFile = (path: string): boolean => /(?:^|\/)CVE-\d{4}-\d{4,19}\.json$/.test(path);

const HEAD_CHARS = 4_096;

/** Makes a reader of the date that follows a field name in the first HEAD_CHARS of a document. */
export const declaredBy =
  (name: RegExp) =>
  (text: string): string | null => {
    const found = name.exec(text.slice(0, HEAD_CHARS))?.[1];
    if (found === undefined || Number.isNaN(Date.parse(found))) return null;
    return new Date(found).toISOString();
  };
