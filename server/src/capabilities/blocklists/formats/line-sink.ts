const FLUSH_CHARS = 64 * 1024;

/** Collects lines as bytes: one string of a list of a million names would need twice its size, and two copies. */
export class LineSink {
  readonly #parts: Buffer[] = [];
  #open = '';

  add(line: string): void {
    this.#open += `${line}\n`;
    if (this.#open.length > FLUSH_CHARS) this.#flush();
  }

  /** Adds text that already has its line ends. */
  addRaw(text: string): void {
    this.#open += text;
    if (this.#open.length > FLUSH_CHARS) this.#flush();
  }

  end(): Buffer {
    this.#flush();
    return Buffer.concat(this.#parts);
  }

  #flush(): void {
    if (this.#open === '') return;
    this.#parts.push(Buffer.from(this.#open));
    this.#open = '';
  }
}
