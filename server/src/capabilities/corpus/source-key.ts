/** Key of the replica collection "source": u16, as listings name the source. */
export const sourceKey = (sourceNumber: number): Uint8Array =>
  Uint8Array.of(sourceNumber >>> 8, sourceNumber & 0xff);
