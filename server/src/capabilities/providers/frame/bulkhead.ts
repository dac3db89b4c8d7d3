/** Limits the concurrent calls of one provider. It never queues: when full, the answer is missing at once. */
export class Bulkhead {
  readonly #atOnceMax: number;
  #underWay = 0;

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  get hasRoom(): boolean {
    return this.#underWay < this.#atOnceMax;
  }

  enter(): boolean {
    if (!this.hasRoom) return false;
    this.#underWay += 1;
    return true;
  }

  leave(): void {
    this.#underWay -= 1;
  }
}
