/** Key of the replica collection "source": a u16, as in listings. */
export const sourceKey = (sourceNumber: number): Uint8Array =>
  Uint8Array.of(sourceNumber >>> 8, sourceNumber & 0xff);
