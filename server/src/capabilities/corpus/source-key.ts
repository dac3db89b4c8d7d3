/** Key of a source in the replica collection "source": its number as u16, as in listings. */
export const sourceKey = (sourceNumber: number): Uint8Array =>
  Uint8Array.of(sourceNumber >>> 8, sourceNumber & 0xff);
