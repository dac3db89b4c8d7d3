/** Content of one half of a node: 0 is nothing, a positive number a node, a negative number -1 - r the record r. */
type Slot = number;

const EMPTY: Slot = 0;
const ROOT_6 = 1;
const ROOT_4 = 2;
const FIRST_NODES = 4_096;

/** A tree in the numbers of the file: below `count` a node, `count` itself for nothing, above it a record. */
export type FinishedTree = {
  readonly count: number;
  /** Two for each node, left and right. A record r is `count + 1 + r`. */
  readonly slots: Int32Array;
};

/**
 * Builds the tree of networks of both families, each with the number of its record. A narrower network must be put
 * after the wider ones around it, because it replaces their record for its addresses.
 */
export class SearchTree {
  #slots = new Int32Array(FIRST_NODES * 2);
  #nodes = ROOT_4;

  /** Puts a network; `record` null: nothing is known of it. */
  put(bytes: Uint8Array, bits: number, record: number | null): void {
    const slot = record === null ? EMPTY : -1 - record;
    const root = bytes.length === 4 ? ROOT_4 : ROOT_6;
    if (bits === 0) {
      this.#slots.fill(slot, root * 2, root * 2 + 2);
      return;
    }
    // In two steps, because `#placeOf` may replace the array of slots by a larger one.
    const place = this.#placeOf(root, bytes, bits);
    this.#slots[place] = slot;
  }

  /** Makes this IPv6 network an alias of the IPv4 tree. To be called after all networks are put. */
  mirrorIpv4(bytes: Uint8Array, bits: number): void {
    const place = this.#placeOf(ROOT_6, bytes, bits);
    this.#slots[place] = ROOT_4;
  }

  /** The index of a network's slot. Splits nodes on the way; both halves inherit the record of the wider network. */
  #placeOf(root: number, bytes: Uint8Array, bits: number): number {
    let node = root;
    for (let at = 0; ; at += 1) {
      const bit = ((bytes[at >>> 3] as number) >>> (7 - (at & 7))) & 1;
      const place = node * 2 + bit;
      if (at === bits - 1) return place;
      const slot = this.#slots[place] as Slot;
      node = slot > 0 ? slot : this.#split(place, slot);
    }
  }

  #split(place: number, slot: Slot): number {
    this.#nodes += 1;
    if (this.#nodes * 2 + 1 >= this.#slots.length) {
      const grown = new Int32Array(this.#slots.length * 2);
      grown.set(this.#slots);
      this.#slots = grown;
    }
    this.#slots.fill(slot, this.#nodes * 2, this.#nodes * 2 + 2);
    this.#slots[place] = this.#nodes;
    return this.#nodes;
  }

  /** Joins halves that say the same, and numbers the nodes that are left in the order of a walk. */
  finish(): FinishedTree {
    this.#join(ROOT_4);
    this.#join(ROOT_6);
    const numbers = new Int32Array(this.#nodes + 1).fill(-1);
    const order = this.#walk(numbers);
    const count = order.length;
    const slots = new Int32Array(count * 2);
    for (const [index, node] of order.entries())
      for (const side of [0, 1]) {
        const slot = this.#slots[node * 2 + side] as Slot;
        if (slot > 0) slots[index * 2 + side] = numbers[slot] as number;
        else slots[index * 2 + side] = slot === EMPTY ? count : count - slot;
      }
    return { count, slots };
  }

  /** Roots are never merged away, even if both halves are equal, because readers begin there. */
  #join(node: number): Slot {
    let [left, right] = [this.#slots[node * 2] as Slot, this.#slots[node * 2 + 1] as Slot];
    if (left > 0 && left !== ROOT_4) left = this.#slots[node * 2] = this.#join(left);
    if (right > 0 && right !== ROOT_4) right = this.#slots[node * 2 + 1] = this.#join(right);
    return left === right && left <= 0 && node > ROOT_4 ? left : node;
  }

  #walk(numbers: Int32Array): readonly number[] {
    const order: number[] = [];
    const waiting = [ROOT_6];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (numbers[node] !== -1) continue;
      numbers[node] = order.length;
      order.push(node);
      const [left, right] = [this.#slots[node * 2] as Slot, this.#slots[node * 2 + 1] as Slot];
      if (right > 0) waiting.push(right);
      if (left > 0) waiting.push(left);
    }
    return order;
  }
}
