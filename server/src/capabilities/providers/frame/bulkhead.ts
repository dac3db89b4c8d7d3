/** How much of one provider's work may be under way. It never queues: full means missing, said at once. */
export class Bulkhead {
  readonly #atOnceMax: number;
  #underWay = 0;

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  get hasRoom(): boolean {
    return this.#underWay < this.#atOnceMax;
  }

  /** False: no place. True: taken, and to be given back with `leave`. */
  enter(): boolean {
    if (!this.hasRoom) return false;
    this.#underWay += 1;
    return true;
  }

  leave(): void {
    this.#underWay -= 1;
  }
}
