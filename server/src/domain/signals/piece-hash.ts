/** FNV-1a over UTF-16 code units, 32 bits. The seed keeps features of different kinds apart. */
export function pieceHash(seed: number, text: string, from = 0, to = text.length): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return finish(hash);
}

/** The low bits of FNV-1a are weak for short texts, and the low bits choose the bucket. */
export function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
