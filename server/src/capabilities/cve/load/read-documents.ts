import { GateError, readSnapshotFile } from '#capabilities/lists/index.ts';

export type CveDocument = {
  /** The path inside an archive; '' for a file that is not an archive. */
  readonly path: string;
  readonly text: string;
};

export type ReadGiven = {
  readonly wants: (path: string) => boolean;
  /** How many documents at the beginning were staged before a kill; they are counted but not unpacked. */
  readonly skip: number;
  readonly signal?: AbortSignal;
};

/** Limit after unpacking, against mistakes and archive bombs. */
const FILE_BYTES_MAX = 16 * 1024 ** 3;
const DOCUMENT_CHARS_MAX = 400_000_000;
/** Records of vulnerabilities repeat their words: the archive of all records unpacks to some fifteen times its size. */
const RATIO_MAX = 200;

/** Calls `take` with each document of a file in order; returns how many there were. */
export async function readDocuments(
  path: string,
  { wants, skip, signal }: ReadGiven,
  take: (document: CveDocument, bytes: number) => Promise<void>,
): Promise<{ readonly documents: number; readonly bytes: number }> {
  let [documents, chars] = [0, 0];
  let member = '';
  let pieces: string[] = [];
  const read = await readSnapshotFile(
    path,
    { bytesMax: FILE_BYTES_MAX, ratioMax: RATIO_MAX, ...(signal === undefined ? {} : { signal }) },
    {
      member: (name) => {
        if (name !== '' && !wants(name)) return false;
        documents += 1;
        [member, pieces, chars] = [name, [], 0];
        return documents > skip;
      },
      text: (piece) => {
        chars += piece.length;
        if (chars > DOCUMENT_CHARS_MAX)
          throw new GateError(
            'too-large',
            'A document is larger than any of its kind. It was not taken.',
            false,
          );
        pieces.push(piece);
      },
      memberEnd: () => {
        signal?.throwIfAborted();
        return take({ path: member, text: pieces.join('') }, chars);
      },
    },
  );
  return { documents, bytes: read.bytes };
}
