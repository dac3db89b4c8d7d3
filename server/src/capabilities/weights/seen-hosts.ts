const SLOTS_MIN = 1 << 16;
const FILL_MAX = 0.5;

/**
 * Remembers which hosts were read, at 16 to 32 bytes for each. It keeps 63 bits of a hash in place of the name: among ten
 * million hosts two share them with a probability of 1 in 180,000.
 */
export class SeenHosts {
  #low = new Uint32Array(SLOTS_MIN);
  #high = new Uint32Array(SLOTS_MIN);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a host; false: it was there. */
  add(host: string): boolean {
    const [low, high] = hashOf(host);
    if (!put(this.#low, this.#high, low, high)) return false;
    this.#size += 1;
    if (this.#size > this.#low.length * FILL_MAX) this.#grow();
    return true;
  }

  #grow(): void {
    const [low, high] = [this.#low, this.#high];
    this.#low = new Uint32Array(low.length * 2);
    this.#high = new Uint32Array(low.length * 2);
    for (const [at, word] of low.entries()) {
      const other = high[at] as number;
      if (word !== 0 || other !== 0) put(this.#low, this.#high, word, other);
    }
  }
}

function put(low: Uint32Array, high: Uint32Array, lowWord: number, highWord: number): boolean {
  const mask = low.length - 1;
  for (let at = (lowWord >>> 1) & mask; ; at = (at + 1) & mask) {
    if (low[at] === 0 && high[at] === 0) {
      low[at] = lowWord;
      high[at] = highWord;
      return true;
    }
    if (low[at] === lowWord && high[at] === highWord) return false;
  }
}

/** Two runs of FNV-1a with different starts and a final mix; never both zero, which marks a free slot. */
function hashOf(host: string): readonly [low: number, high: number] {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < host.length; at += 1) {
    const code = host.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 15);
  }
  return [(mixed(low) | 1) >>> 0, mixed(high)];
}

function mixed(word: number): number {
  const once = Math.imul(word ^ (word >>> 16), 0x7feb352d);
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b);
  return (twice ^ (twice >>> 16)) >>> 0;
}
