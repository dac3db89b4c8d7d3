/** The field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1, in which QR codes compute their error correction. */
const EXP = new Uint8Array(510);
const LOG = new Uint8Array(256);
for (let power = 0, value = 1; power < 255; power += 1) {
  EXP[power] = value;
  EXP[power + 255] = value;
  LOG[value] = power;
  value = value & 0x80 ? ((value << 1) ^ 0x11d) & 0xff : value << 1;
}

export const multiply = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (EXP[(LOG[a] ?? 0) + (LOG[b] ?? 0)] ?? 0);

/** The generator polynomial of this degree without its leading 1, highest power first. */
function generator(degree: number): Uint8Array {
  const factors = new Uint8Array(degree);
  factors[degree - 1] = 1;
  for (let root = 0; root < degree; root += 1)
    for (let at = 0; at < degree; at += 1)
      factors[at] = multiply(factors[at] ?? 0, EXP[root] ?? 0) ^ (factors[at + 1] ?? 0);
  return factors;
}

/** The Reed-Solomon remainder of the data: the error correction bytes that are stored after it. */
export function correctionOf(data: Uint8Array, bytes: number): Uint8Array {
  const factors = generator(bytes);
  const rest = new Uint8Array(bytes);
  for (const byte of data) {
    const lead = byte ^ (rest[0] ?? 0);
    rest.copyWithin(0, 1);
    rest[bytes - 1] = 0;
    for (let at = 0; at < bytes; at += 1) rest[at] = (rest[at] ?? 0) ^ multiply(factors[at] ?? 0, lead);
  }
  return rest;
}
